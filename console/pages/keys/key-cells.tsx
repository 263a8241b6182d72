import type { ReactNode } from 'react'
import type { KeyActivityAnswer } from '../../../src/contract/key-report.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier, shareOf, sumOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { COUNT_FIELDS } from './form/key-draft.ts'
import { KEY_DAYS, todayOf } from './key-days.ts'
import { KeyName } from './key-name.tsx'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useNow } from '../../ui/use-now.ts'

interface KeyCellProps {
  readonly apiKey: ApiKeyView
}

const TONES: Readonly<Record<ApiKeyView['status'], Tone>> = {
  active: 'good',
  disabled: 'neutral',
  expired: 'warn',
  quota_exhausted: 'bad',
}

const SOON_MS = 7 * 86_400_000

export function StatusCell({ apiKey }: KeyCellProps): ReactNode {
  const t = useTexts('keys')
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1 align-middle lg:justify-start">
      <Badge tone={TONES[apiKey.status]} hasDot>
        {t.statuses[apiKey.status]}
      </Badge>
      {!apiKey.group_enabled && <Badge tone="warn">{t.groupOff}</Badge>}
      {apiKey.managed && (
        <Tooltip text={t.managedWhy}>
          <span role="img" aria-label={t.managed} className="flex text-ink-3">
            <Icon name="lock" className="size-3.5" />
          </span>
        </Tooltip>
      )}
    </span>
  )
}

/** The name, what is kept of the secret, and the secret before it while that still works. */
export function NameCell({ apiKey }: KeyCellProps): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const nowMs = useNow()
  const { overlap } = apiKey
  return (
    <div className="max-w-md lg:max-w-36 lg:min-w-36 2xl:max-w-md">
      <KeyName {...apiKey} />
      {apiKey.captured_until !== null && Date.parse(apiKey.captured_until) > nowMs && (
        <span className="mt-0.5 block text-xs font-normal text-warn" title={format.second(apiKey.captured_until)}>
          {t.captured(format.clock(Date.parse(apiKey.captured_until), nowMs))}
        </span>
      )}
      {overlap !== null && <PreviousSecret overlap={overlap} />}
    </div>
  )
}

/** The secret before a rotation while it still works, on one line; its title says all. */
function PreviousSecret({ overlap }: { readonly overlap: NonNullable<ApiKeyView['overlap']> }): ReactNode {
  const t = useTexts('keys')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const nowMs = useNow()
  const { secret_end: end, ends_at: endsAt, last_used_at: usedAt } = overlap
  const when = format.relative(endsAt, nowMs)
  const used = usedAt === null ? t.overlapUnused : t.overlapUsed(format.relative(usedAt, nowMs))
  const whole = sentences([t.overlap(end, when), used])
  return (
    <span className="block truncate text-xs font-normal text-warn" title={`${whole} (${format.second(endsAt)})`}>
      {t.overlapShort(end, when)}
    </span>
  )
}

export function GroupCell({ apiKey }: KeyCellProps): ReactNode {
  return (
    <span className="lg:whitespace-nowrap">
      <CutName text={apiKey.group} className="max-w-40" />{' '}
      <span className="text-sm text-ink-3">{formatMultiplier(apiKey.group_multiplier)}</span>
    </span>
  )
}

/** What the key spent. `places`: of the longest amount in the column. */
export function SpendCell({ apiKey, places }: KeyCellProps & { readonly places: number }): ReactNode {
  const format = useFormat()
  return <AlignedAmount shown={format.money(apiKey.spent)} places={places} title={format.exactMoney(apiKey.spent)} />
}

/** The spending limit and how far along the key is. Nothing where it has none. */
export function QuotaCell({ apiKey }: KeyCellProps): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const nowMs = useNow()
  if (apiKey.quota_limit === null) return null
  const amount = format.money(apiKey.quota_limit)
  const whole = t.ofQuota(amount, apiKey.quota_reset)
  const resets = apiKey.quota_resets_at === null ? '' : t.resets(format.relative(apiKey.quota_resets_at, nowMs))
  // A node of the version before does not say it.
  const raise = apiKey.quota_raise ?? null
  return (
    <span className="inline-block min-w-16 align-middle" title={resets === '' ? whole : `${whole} · ${resets}`}>
      {/* The meter says it, too. */}
      <span aria-hidden="true" className="block whitespace-nowrap text-ink-2">
        <span className="lg:max-2xl:hidden">{whole}</span>
        <span className="hidden lg:max-2xl:inline">{t.ofLimit(amount)}</span>
      </span>
      <Meter share={shareOf(apiKey.spent, apiKey.quota_limit)} label={t.spendMeter(apiKey.name)} />
      {raise !== null && (
        <span className="mt-1 block text-xs text-warn" title={format.second(raise.ends_at)}>
          {t.raised(format.relative(raise.ends_at, nowMs), format.money(raise.limit))}
        </span>
      )}
    </span>
  )
}

export function ExpiryCell({ apiKey }: KeyCellProps): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const nowMs = useNow()
  if (apiKey.expires_at === null) return <span className="text-ink-3">{t.permanent}</span>
  const awayMs = Date.parse(apiKey.expires_at) - nowMs
  const isSoon = awayMs < SOON_MS
  return (
    <span
      title={format.second(apiKey.expires_at)}
      className={isSoon ? 'whitespace-nowrap text-warn' : 'whitespace-nowrap lg:max-2xl:whitespace-normal'}
    >
      {isSoon ? format.relative(apiKey.expires_at, nowMs) : format.date(apiKey.expires_at)}
    </span>
  )
}

export function LimitsCell({ apiKey }: KeyCellProps): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const limit = apiKey.rate_limit
  if (limit === null) return <span className="text-ink-3">{t.noLimits}</span>
  const counts = COUNT_FIELDS.map((field) => {
    const count = limit[field]
    return count === null ? null : t.limitParts.counts[field](format.compact(count))
  })
  const spend = limit.spend.map((each) => t.limitParts.spend(format.money(each.usd), each.window))
  return <span className="text-sm">{[...counts, ...spend].filter((part) => part !== null).join(' · ')}</span>
}

/** What the keys of a page used lately, by their ids; undefined: not known yet. */
export type KeyActivities = ReadonlyMap<string, KeyActivityAnswer['data'][number]['days']> | undefined

/** The last thirty days of a key at a glance, with what today cost. */
export function ActivityCell(props: { readonly apiKey: ApiKeyView; readonly activities: KeyActivities }): ReactNode {
  const t = useTexts('keys').activity
  const format = useFormat()
  const nowMs = useNow()
  const { apiKey, activities } = props
  const days = activities?.get(apiKey.id) ?? []
  const today = todayOf(days, nowMs)
  return (
    <span className="inline-flex items-end gap-1.5 whitespace-nowrap">
      <Sparkline
        days={days}
        count={KEY_DAYS}
        until={nowMs}
        label={t.label(apiKey.name, format.money(sumOf(days.map(({ cost }) => cost))))}
        className="h-4 w-13 2xl:w-20"
      />
      <span className="text-xs text-ink-3">
        {activities === undefined ? '' : t.today(format.money(today?.cost ?? '0'))}
      </span>
    </span>
  )
}
