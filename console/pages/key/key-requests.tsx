import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'
import { RequestLines } from '../usage/request-lines.tsx'

/** What a key asked for lately, and what of it failed. */
export function KeyRequests({ report }: { readonly report: KeyReport }): ReactNode {
  const t = useTexts('key').detail
  const { key, requests, failed } = report
  const toUsage = (name: string, search: Readonly<Record<string, string>>): ReactNode => (
    <Link to={PATHS.usage} search={search} className="text-sm text-accent hover:underline">
      {name}
    </Link>
  )
  const toFailed = toUsage(t.allFailed, { key: key.id, fault: 'any' })
  return (
    <>
      <Section title={t.requests} actions={toUsage(t.allRequests, { key: key.id })}>
        {requests.length === 0 ? (
          <p className="text-ink-2">{t.noRequests}</p>
        ) : (
          <RequestLines requests={requests} isOfOneKey />
        )}
      </Section>
      <Section title={t.failed} {...(failed.length === 0 ? {} : { actions: toFailed })}>
        {failed.length === 0 ? (
          <p className="text-ink-2">{t.noFailed}</p>
        ) : (
          <RequestLines requests={failed} isOfOneKey />
        )}
      </Section>
    </>
  )
}
