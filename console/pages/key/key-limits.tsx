import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { keyDictionary } from '../../dictionaries/key.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { quotaPace } from './quota-pace.ts'

type Limits = KeyReport['limits']

/** What is left does not last as long as a reader would like from so few days on. */
const FEW_DAYS = 7
const YEARS_DAYS = 365

interface Bar {
  readonly name: string
  readonly share: number
  readonly text: string
  /** When it is empty again; null: nothing is said of that. */
  readonly note: string | null
  /** How long it lasts. */
  readonly pace?: { readonly text: string; readonly isShort: boolean }
}

/** Each limit of a key as a bar: requests that run now, requests and tokens of the last minute, quota and windows. */
export function KeyLimits({ report }: { readonly report: KeyReport }): ReactNode {
  const t = keyDictionary.useTexts().detail
  const pace = usePaceText(report, useNow())
  return (
    <Section title={t.limits}>
      <LimitBars limits={report.limits} pace={pace} />
    </Section>
  )
}

/** The bars alone. `pace`: how long the quota lasts; null: that is not known. */
export function LimitBars(props: { readonly limits: Limits; readonly pace: Bar['pace'] | null }): ReactNode {
  const t = keyDictionary.useTexts().detail
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
        </li>
      ))}
    </ul>
  )
}

function useBars({ counted, quota, spend }: Limits, pace: Bar['pace'] | null): readonly Bar[] {
  const t = keyDictionary.useTexts().detail
  const format = useFormat()
  const nowMs = useNow()
  const amounts = (name: string, of: NonNullable<Limits['quota']>, note: string | null): Bar => ({
    name,
    share: shareOf(of.used, of.limit),
    text: t.of(format.money(of.used), format.money(of.limit)),
    note: of.resets_at === null ? note : t.resets(format.relative(of.resets_at, nowMs)),
  })
  return [
    ...(quota === null ? [] : [withPace(amounts(t.quota, quota, null), pace)]),
    ...counted.map(({ type, used, limit }): Bar => ({
      name: t.counted[type],
      share: limit === 0 ? 1 : used / limit,
      text: t.of(format.number(used), format.number(limit)),
      note: null,
    })),
    ...spend.map((each) => amounts(t.window(each.window), each, t.opens)),
  ]
}

function withPace(bar: Bar, pace: Bar['pace'] | null): Bar {
  return pace === null || pace === undefined ? bar : { ...bar, pace }
}

/** How long the quota lasts, in words; null: there is no pace to say it by. */
function usePaceText(report: KeyReport, nowMs: number): Bar['pace'] | null {
  const t = keyDictionary.useTexts().detail
  const format = useFormat()
  const pace = quotaPace(report, nowMs)
  if (pace === null || pace.kind === 'used_up') return null
  if (pace.isEnough) return { text: t.paceEnough, isShort: false }
  if (pace.days > YEARS_DAYS) return { text: t.paceYears, isShort: false }
  return { text: t.pace(pace.days, format.date(pace.endsAt)), isShort: pace.days < FEW_DAYS }
}
