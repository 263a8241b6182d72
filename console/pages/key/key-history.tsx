import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { changedValues, type PlainValue } from '../../differences/changed-values.ts'

type Entry = KeyReport['history'][number]

/** What was done with a key, when, and by whom. */
export function KeyHistory({ history }: Pick<KeyReport, 'history'>): ReactNode {
  const t = useTexts('key').detail
  return (
    <Section title={t.history}>
      {history.length === 0 ? (
        <p className="text-ink-2">{t.noHistory}</p>
      ) : (
        <ol className="grid gap-3">
          {history.map((entry) => (
            <li key={entry.id} className="min-w-0">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">{t.actions[entry.action] ?? entry.action}</span>
                <span className="text-sm text-ink-3">
                  <RelativeTime time={entry.created_at} />
                </span>
              </p>
              <p className="text-sm text-ink-3">{entry.address === null ? t.byAdmin : t.byYou(entry.address)}</p>
              {entry.action !== 'key.create' && <ChangeList changes={entry.changes} />}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function ChangeList({ changes }: Pick<Entry, 'changes'>): ReactNode {
  const { fields, spending, captureEnds } = useTexts('key').detail
  const { labelled } = useSharedTexts()
  const format = useFormat()
  const nameOf = (name: string) => fields[name] ?? name
  const valueOf = (name: string, value: PlainValue): string => {
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'boolean') return String(value)
    if (AMOUNTS.has(name) && AMOUNT.test(value)) return format.exactMoney(value)
    if (name === 'because') return captureEnds[value] ?? value
    return MOMENTS.has(name) && !Number.isNaN(Date.parse(value)) ? format.time(value) : value
  }
  const phraseOf = (value: object): string | null =>
    isSpending(value) ? spending(format.exactMoney(value.usd), value.window) : null
  const rows = changedValues(changes, '–', { nameOf, valueOf, list: format.list, phraseOf })
  if (rows.length === 0) return null
  return (
    <ul className="mt-0.5 grid gap-0.5 text-sm text-ink-2">
      {rows.map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          {labelled(nameOf(field), `${before === null ? '' : `${before} → `}${after}`)}
        </li>
      ))}
    </ul>
  )
}

function isSpending(value: object): value is { readonly usd: string; readonly window: string } {
  return 'usd' in value && typeof value.usd === 'string' && 'window' in value && typeof value.window === 'string'
}

const AMOUNT = /^\d+(\.\d+)?$/
const AMOUNTS: ReadonlySet<string> = new Set(['quota_limit', 'limit'])
const MOMENTS: ReadonlySet<string> = new Set(['expires_at', 'overlap_ends_at', 'until', 'ends_at'])
