import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { failedFirst } from '../../api/failed-first.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { shareOf, sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { SubscriptionCard } from '../billing/subscription-card.tsx'
import { DaysChart } from './days-chart.tsx'
import { RequestLines } from '../usage/request-lines.tsx'
import { PATHS } from '../../paths.ts'
import { alertText, watchedText } from '../../shell/notices/notice-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'

/** What each of the last thirty days cost. */
export function DaysCard({ days, asOf }: Pick<Overview, 'days'> & { readonly asOf: string }): ReactNode {
  const t = useTexts('overview').spend
  const format = useFormat()
  const [dearest] = [...days].sort((a, b) => Number(b.cost) - Number(a.cost))
  const total = format.money(sumOf(days.map(({ cost }) => cost)))
  return (
    <Section title={t.days} actions={<span className="text-lg font-medium">{total}</span>}>
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

/** Whether the gateway takes requests, which version it is, and of when all of this is. */
export function GatewayLine({ gateway, asOf }: Pick<Overview, 'gateway'> & { readonly asOf: string }): ReactNode {
  const texts = useTexts('overview')
  const t = texts.gateway
  const format = useFormat()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
      <span className="inline-flex items-center gap-2">
        {t.title}
        <Badge tone={gateway.state === 'serving' ? 'good' : 'warn'} hasDot>
          {t[gateway.state]}
        </Badge>
      </span>
      <span>{t.version(gateway.version)}</span>
      <span>{texts.asOf(format.clock(Date.parse(asOf), Date.parse(asOf)))}</span>
    </p>
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

/** How full the windows of the running subscriptions are. Nothing where none runs. */
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
          <SubscriptionCard key={each.id} subscription={each} />
        ))}
      </ul>
    </Section>
  )
}

type Watched = Overview['keys'][number]

const MOST_SHOWN = 6

/** Keys that are near a limit or their end, or past it. */
export function WatchedKeys({ keys }: Pick<Overview, 'keys'>): ReactNode {
  const t = useTexts('overview').keys
  return (
    <Section
      title={t.title}
      actions={
        <Link to={PATHS.keys} className="text-sm text-accent hover:underline">
          {t.all}
        </Link>
      }
    >
      {keys.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul className="grid gap-3">
          {keys.slice(0, MOST_SHOWN).map((key) => (
            <li key={`${key.id} ${key.why} ${key.window ?? ''}`} className="min-w-0">
              <Link
                to={PATHS.key}
                params={{ keyId: key.id }}
                className="line-clamp-2 font-medium text-accent hover:underline"
              >
                {key.name}
              </Link>
              <WatchedWhy watched={key} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function WatchedWhy({ watched }: { readonly watched: Watched }): ReactNode {
  const t = useTexts('overview').keys
  const format = useFormat()
  const { text, resets, isOver } = watchedText(watched, { t, format, nowMs: useNow() })
  if (watched.used === null || watched.limit === null) {
    return <p className={isOver ? 'text-sm text-bad' : 'text-sm text-warn'}>{text}</p>
  }
  return (
    <>
      <p className="mb-1 text-sm text-ink-2">
        {text}
        {resets !== null && <span className="text-ink-3"> · {resets}</span>}
      </p>
      <Meter share={shareOf(watched.used, watched.limit)} label={watched.name} />
    </>
  )
}
