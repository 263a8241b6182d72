import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** An address of the console that leads nowhere. */
export function NotFound(): ReactNode {
  const t = useSharedTexts().notFound
  return (
    <main className="mx-auto max-w-xl px-4 pt-[10dvh]">
      <PageHeader
        title={t.title}
        lead={t.text}
        actions={
          <Link to={PATHS.start} className={buttonClass('primary')}>
            {t.action}
          </Link>
        }
      />
    </main>
  )
}
