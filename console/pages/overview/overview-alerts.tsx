import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { alertText } from '../../shell/notices/alert-text.ts'

/** Alerts of the last two weeks. Nothing where there was none. */
export function OverviewAlerts({ alerts }: Pick<Overview, 'alerts'>): ReactNode {
  const t = useTexts('overview').alerts
  const billing = useTexts('billing')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  if (alerts.length === 0) return null
  return (
    <Section title={t.title}>
      <ul className="grid gap-2.5">
        {alerts.map((alert) => (
          <li key={alert.id} className="flex items-start gap-2.5">
            <Icon name="bell" className="mt-0.75 text-ink-3" />
            <p className="min-w-0">
              {sentences([alertText(alert, billing, format), ''])}
              <span className="text-sm text-ink-3">
                <RelativeTime time={alert.created_at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
