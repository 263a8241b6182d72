import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AlertView } from '../../../src/contract/administration.ts'
import type { Page } from '../../../src/contract/wire-values.ts'
import { hasAmounts } from '../../api/alerts.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { leftOf } from '../../format/money.ts'
import { useFormat, type Format } from '../../format/use-format.ts'
import { Deliveries } from '../../ui/deliveries.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { alertText } from '../../shell/notices/alert-text.ts'

/** The account page shows more. */
const MOST_SHOWN = 5

/** The newest few alerts of the account. Nothing is shown when there was nothing, or when it cannot be read: the page lives without. */
export function AlertList({ alerts }: { readonly alerts: UseQueryResult<Page<AlertView>> }): ReactNode {
  const t = useTexts('billing')
  const format = useFormat()
  const list = (alerts.data?.data ?? []).slice(0, MOST_SHOWN)
  if (list.length === 0) return null
  return (
    <Section title={t.alerts.title} lead={t.alerts.lead}>
      <ul className="grid divide-y divide-line">
        {list.map((alert) => (
          <li key={alert.id} className="flex gap-x-3 py-2.5 first:pt-0 last:pb-0">
            <Icon name="bell" className="mt-0.75 text-ink-3" />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
              <div className="min-w-0 flex-1 basis-64">
                <p>{alertText(alert, t, format)}</p>
                <p className="text-sm text-ink-3">
                  <RelativeTime time={alert.created_at} />
                  {!hasAmounts(alert) ? '' : ` · ${amountText(alert, t, format)}`}
                </p>
              </div>
              <Deliveries deliveries={alert.deliveries} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What was left of a low balance. */
function amountText(alert: AlertView, t: PageTexts['billing'], format: Format): string {
  if (alert.kind === 'low_balance') return t.alerts.left(format.money(leftOf(alert.limit, alert.used)))
  return t.alerts.of(format.money(alert.used), format.money(alert.limit))
}
