import type { ReactNode } from 'react'
import type { PublicStatus } from '../../../src/contract/public-pages.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { numberFormat } from '../../format/kept-formats.ts'
import { formatMoment } from '../../format/time.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'

/** A step of availability, such as 99.9: never rounded up. */
export function shareText(percent: number, language: string): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100)
}

export type StatusSpan = 'hours' | 'days'

const HOUR_MS = 3_600_000
const STEP_MS: Readonly<Record<StatusSpan, number>> = { hours: HOUR_MS, days: 24 * HOUR_MS }
export const TONES: Readonly<Record<'healthy' | 'degraded' | 'failing', Tone>> = {
  healthy: 'good',
  degraded: 'warn',
  failing: 'bad',
}
const WELL_FROM = 98
const PARTLY_FROM = 50

/** One model: how it is now, how it was, and a strip of its hours or days. */
export function ModelStatus(props: {
  readonly of: PublicStatus['data'][number]
  readonly status: PublicStatus
  readonly span: StatusSpan
}): ReactNode {
  const t = useTexts('public').status
  const format = useFormat()
  const { language } = usePreferences()
  const { of, status, span } = props
  const available = span === 'hours' ? of.available_day : of.available_month
  const latency = of[span].first_byte_ms.findLast((each) => each !== null) ?? null
  const firstByte = latency === null ? null : t.firstByte(format.duration(latency.p50), format.duration(latency.p95))
  // That nothing is known is said once.
  const unknown = of.now === null ? null : t.unknown
  const share = available === null ? unknown : t.available(shareText(available, language), t.spans[span])
  return (
    <li className="card min-w-0 p-4 sm:p-5">
      {/* All figures beside the names, or all below them: what would wrap by itself is wrapped everywhere. */}
      <div className="mb-3 flex flex-col gap-x-4 gap-y-1 lg:flex-row lg:items-baseline lg:justify-between">
        <h2 className="flex min-w-0 flex-wrap items-center gap-2 text-base font-medium">
          <span className="[overflow-wrap:anywhere]">{of.model}</span>
          <Badge tone={of.now === null ? 'neutral' : TONES[of.now]} hasDot>
            {of.now === null ? t.unknown : t.now[of.now]}
          </Badge>
        </h2>
        <p className="text-sm text-ink-2 lg:shrink-0 empty:hidden">
          {share}
          {firstByte !== null && (
            <span className="text-ink-3">
              {share !== null && ' · '}
              {firstByte}
            </span>
          )}
        </p>
      </div>
      <Strip of={of} span={span} fromMs={Date.parse(span === 'hours' ? status.hours_from : status.days_from)} />
      <p aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-3">
        <span>{t.ago[span]}</span>
        <span>{t.today}</span>
      </p>
    </li>
  )
}

/** A bar for each hour or day: its colour and its height say how well it was, so that colour is not needed to see it. */
function Strip(props: {
  readonly of: PublicStatus['data'][number]
  readonly span: StatusSpan
  readonly fromMs: number
}): ReactNode {
  const t = useTexts('public').status
  const format = useFormat()
  const { language } = usePreferences()
  const { of, span, fromMs } = props
  const { available, first_byte_ms: firstBytes } = of[span]
  const worst = available.filter((each) => each !== null).sort((a, b) => a - b)[0]
  const label = [t.chart(of.model, t.spans[span]), worst === undefined ? t.unknown : shareText(worst, language)].join(
    ': ',
  )
  return (
    <div role="img" aria-label={label} className="flex h-9 items-end gap-0.5">
      {available.map((share, at) => {
        const time = new Date(fromMs + at * STEP_MS[span]).toISOString()
        const when = span === 'days' ? format.date(time) : formatMoment(time, language).replace(/:\d\d(?=\D*$)/, '')
        const said = share === null ? t.unknown : shareText(share, language)
        const latency = firstBytes[at] ?? null
        return (
          <span
            key={time}
            title={
              latency === null
                ? t.cell(when, said)
                : t.cellLatency(when, said, t.firstByte(format.duration(latency.p50), format.duration(latency.p95)))
            }
            className={classNames(
              'min-w-0 flex-1 rounded-xs forced-color-adjust-none',
              share === null
                ? 'h-1/4 bg-line'
                : share >= WELL_FROM
                  ? 'h-full bg-good'
                  : share >= PARTLY_FROM
                    ? 'h-3/4 bg-brass'
                    : 'h-1/2 bg-bad',
            )}
          />
        )
      })}
    </div>
  )
}
