import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'
import { RequestLines } from '../usage/request-lines.tsx'
import { failedFirst } from '../../api/failed-first.ts'

/** The newest requests; those that failed stand first, where they are seen. */
export function RecentRequests({ requests }: Pick<Overview, 'requests'>): ReactNode {
  const t = useTexts('overview').requests
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <Link to={PATHS.usage} className="text-sm text-accent hover:underline">
          {t.all}
        </Link>
      }
    >
      {requests.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <RequestLines requests={failedFirst(requests)} />
      )}
    </Section>
  )
}
