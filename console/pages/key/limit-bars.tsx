import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Meter } from '../../ui/meter.tsx'
import { useNow } from '../../ui/use-now.ts'

type ReportedLimits = KeyReport['limits']

/** How long a quota lasts. */
export interface Pace {
  readonly text: string
  readonly isShort: boolean
}

interface LimitBar {
  readonly name: string
  readonly share: number
  readonly text: string
  /** When it is empty again; null: nothing is said of that. */
  readonly note: string | null
  readonly pace?: Pace
}

/** Each limit as a bar. `pace`: how long the quota lasts; null: that is not known. `raise`: what is said of a raise of the quota. */
export function LimitBars(props: {
  readonly limits: ReportedLimits
  readonly pace: Pace | null
  readonly raise?: ReactNode
}): ReactNode {
  const t = useTexts('key').detail
  const bars = useBars(props.limits, props.pace)
  if (bars.length === 0) return <p className="text-ink-2">{t.noLimits}</p>
  return (
    <ul className="grid gap-3.5">
      {bars.map(({ name, share, text, note, pace }) => (
        <li key={name}>
          <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{name}</span>
            <span className="text-ink-2">{text}</span>
          </div>
          <Meter share={share} label={name} />
          {(note !== null || pace !== undefined) && (
            <p className="mt-1 flex flex-wrap justify-between gap-x-3 text-sm text-ink-3">
              {pace !== undefined && <span className={pace.isShort ? 'font-medium text-warn' : ''}>{pace.text}</span>}
              {note !== null && <span>{note}</span>}
            </p>
          )}
          {name === t.quota && props.raise}
        </li>
      ))}
    </ul>
  )
}

function useBars({ counted, quota, spend }: ReportedLimits, pace: Pace | null): readonly LimitBar[] {
  const t = useTexts('key').detail
  const format = useFormat()
  const nowMs = useNow()
  const amounts = (name: string, of: NonNullable<ReportedLimits['quota']>, note: string | null): LimitBar => ({
    name,
    share: shareOf(of.used, of.limit),
    text: t.of(format.money(of.used), format.money(of.limit)),
    note: of.resets_at === null ? note : t.resets(format.relative(of.resets_at, nowMs)),
  })
  return [
    ...(quota === null ? [] : [withPace(amounts(t.quota, quota, null), pace)]),
    ...counted.map(({ type, used, limit }): LimitBar => ({
      name: t.counted[type],
      share: limit === 0 ? 1 : used / limit,
      text: t.of(format.number(used), format.number(limit)),
      note: null,
    })),
    ...spend.map((each) => amounts(t.window(each.window), each, t.opens)),
  ]
}

function withPace(bar: LimitBar, pace: Pace | null): LimitBar {
  return pace === null || pace === undefined ? bar : { ...bar, pace }
}
