import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { keyDictionary } from '../../dictionaries/key.ts'
import { shareOf } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'

type Limits = KeyReport['limits']

interface Bar {
  readonly name: string
  readonly share: number
  readonly text: string
  /** When it is empty again; null: nothing is said of that. */
  readonly note: string | null
}

/** Each limit of a key as a bar: requests that run now, requests and tokens of the last minute, quota and windows. */
export function KeyLimits({ limits }: { readonly limits: Limits }): ReactNode {
  const t = keyDictionary.useTexts().detail
  const bars = useBars(limits)
  return (
    <Section title={t.limits}>
      {bars.length === 0 ? (
        <p className="text-ink-2">{t.noLimits}</p>
      ) : (
        <ul className="grid gap-3.5">
          {bars.map(({ name, share, text, note }) => (
            <li key={name}>
              <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">{name}</span>
                <span className="text-ink-2">{text}</span>
              </div>
              <Meter share={share} label={name} text={text} />
              {note !== null && <p className="mt-1 text-sm text-ink-3">{note}</p>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function useBars({ counted, quota, spend }: Limits): readonly Bar[] {
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
    ...(quota === null ? [] : [amounts(t.quota, quota, null)]),
    ...counted.map(({ type, used, limit }): Bar => ({
      name: t.counted[type],
      share: limit === 0 ? 1 : used / limit,
      text: t.of(format.number(used), format.number(limit)),
      note: null,
    })),
    ...spend.map((each) => amounts(t.window(each.window), each, t.opens)),
  ]
}
