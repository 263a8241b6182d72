import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visitsQuery } from '../../api/visits.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Section } from '../../ui/section.tsx'

/** When admins saw the account as its owner does, and why; nothing where none did. */
export function VisitsSection(): ReactNode {
  const t = useTexts('account').visits
  const format = useFormat()
  const { data } = useQuery(visitsQuery)
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <ul className="divide-y divide-line">
        {data.data.map(({ id, at, until, reason }) => (
          <li key={id} className="py-2 first:pt-0 last:pb-0">
            <span className="block [overflow-wrap:anywhere]">{reason}</span>
            <span className="block text-sm text-ink-3">{t.span(format.time(at), format.time(until))}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
