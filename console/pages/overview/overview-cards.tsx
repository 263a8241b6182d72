import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { failedFirst } from '../../api/failed-first.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { shareOf, sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { DaysChart } from './days-chart.tsx'
import { RequestLines } from '../usage/request-lines.tsx'
import { PATHS } from '../../paths.ts'
import { alertText } from '../../shell/notices/notice-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { NamedMeter } from '../../ui/meter.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'

/** What each of the last thirty days cost. */
export function DaysCard({ days, asOf }: Pick<Overview, 'days'> & { readonly asOf: string }): ReactNode {
  const t = useTexts('overview').spend
  const format = useFormat()
  const [dearest] = [...days].sort((a, b) => Number(b.cost) - Number(a.cost))
  const sum = sumOf(days.map(({ cost }) => cost))
  const total = format.roughMoney(sum)
  return (
    <Section
      title={t.days}
      actions={
        <span title={format.exactMoney(sum)} className="text-lg font-medium">
          {total}
        </span>
      }
    >
      {dearest === undefined ? (
        <p className="text-ink-2">{t.noDays}</p>
      ) : (
        <DaysChart
          days={days}
          asOf={asOf}
          label={t.sparkline(total, format.date(dearest.at), format.money(dearest.cost))}
          text={t.dearest(format.date(dearest.at), format.money(dearest.cost))}
        />
      )}
    </Section>
  )
}

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

/** Where each running subscription is nearest to its end: its fullest window. Nothing where none runs; Billing has the rest. */
export function OverviewSubscriptions({ subscriptions }: Pick<Overview, 'subscriptions'>): ReactNode {
  const t = useTexts('overview').subscriptions
  if (subscriptions.length === 0) return null
  return (
    <Section
      title={t.title}
      actions={
        <Link to={PATHS.billing} className="text-sm text-accent hover:underline">
          {t.all}
        </Link>
      }
    >
      <ul className="grid gap-3">
        {subscriptions.map((each) => (
          <SubscriptionLine key={each.id} subscription={each} />
        ))}
      </ul>
    </Section>
  )
}

function SubscriptionLine({ subscription }: { readonly subscription: Overview['subscriptions'][number] }): ReactNode {
  const t = useTexts('billing').subscriptions
  const format = useFormat()
  const nowMs = useNow()
  const { plan, quotas } = subscription
  const [fullest] = quotas.toSorted((a, b) => shareOf(b.used, b.limit) - shareOf(a.used, a.limit))
  if (fullest === undefined) {
    return (
      <li className="min-w-0">
        <p className="truncate font-medium">{plan}</p>
        <p className="text-sm text-ink-3">{t.unlimited}</p>
      </li>
    )
  }
  const { window, used, limit, resets_at: resetsAt } = fullest
  return (
    <li className="min-w-0">
      <NamedMeter
        name={`${plan} · ${t.window(t.windows[window])}`}
        text={t.used(format.money(used), format.money(limit))}
        share={shareOf(used, limit)}
      />
      {resetsAt !== null && <p className="mt-1 text-sm text-ink-3">{t.resets(format.relative(resetsAt, nowMs))}</p>}
    </li>
  )
}
