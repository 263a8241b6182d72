import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LimitsReport } from '../../../src/contract/account-limits.ts'
import { myLimitsQuery } from '../../api/me.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { NamedMeter } from '../../ui/meter.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Section } from '../../ui/section.tsx'

/** What the account may do with all of its keys together; nothing for an account that nothing limits. */
export function LimitsSection(): ReactNode {
  const t = useTexts('account').limits
  const { data } = useQuery(myLimitsQuery)
  if (data === undefined || !isLimited(data)) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <LimitMeters report={data} />
    </Section>
  )
}

/** How full each limit of an account is. */
export function LimitMeters({ report }: { readonly report: LimitsReport }): ReactNode {
  const t = useTexts('account').limits
  const format = useFormat()
  const { limits, counted, spend, keys, raised_until: raisedUntil } = report
  const days = limits.max_key_validity_days
  return (
    <ul className="grid gap-3">
      {raisedUntil !== null && <li className="text-good">{t.raised(format.time(raisedUntil))}</li>}
      {counted.map(({ type, limit, used }) => (
        <Limit
          key={type}
          name={t.counts[type]}
          share={used / Math.max(1, limit)}
          used={format.number(used)}
          limit={format.number(limit)}
        />
      ))}
      {spend.map(({ window, limit, used, resets_at: resetsAt }) => (
        <Limit
          key={window}
          name={t.spend[window]}
          share={shareOf(used, limit)}
          used={format.money(used)}
          limit={format.money(limit)}
          resetsAt={resetsAt}
        />
      ))}
      {limits.max_keys !== null && (
        <Limit
          name={t.keys}
          share={keys.used / Math.max(1, keys.limit)}
          used={format.number(keys.used)}
          limit={format.number(keys.limit)}
        />
      )}
      {days !== null && (
        <li className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{t.validity}</span>
          <span className="text-ink-2">{t.days(days)}</span>
        </li>
      )}
    </ul>
  )
}

function Limit(props: {
  readonly name: string
  readonly share: number
  readonly used: string
  readonly limit: string
  readonly resetsAt?: string | null
}): ReactNode {
  const t = useTexts('account').limits
  const format = useFormat()
  const nowMs = useNow()
  const { name, share, resetsAt = null } = props
  const text = t.used(props.used, props.limit)
  return (
    <li>
      <NamedMeter name={name} text={text} share={share} />
      {resetsAt !== null && <p className="mt-1 text-sm text-ink-3">{t.resets(format.relative(resetsAt, nowMs))}</p>}
    </li>
  )
}

export function isLimited({ limits }: LimitsReport): boolean {
  return Object.values(limits).some((limit) => (Array.isArray(limit) ? limit.length > 0 : limit !== null))
}
