import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** An address of the console that leads nowhere. */
export default function NotFound(): ReactNode {
  const t = useSharedTexts().notFound
  return (
    <>
      <PageHeader title={t.title} lead={t.text} />
      <Link to={PATHS.overview} className={buttonClass('primary')}>
        {t.action}
      </Link>
    </>
  )
}
