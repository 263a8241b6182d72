import { type ReactNode, Suspense } from 'react'
import { useSharedTexts, useTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { type Changes, changeRows, withMoreWords } from './change-rows.ts'
import type { FieldWords } from './difference-rows.ts'
import type { ObjectKind } from './object-kinds.ts'
import { ObjectWords } from './object-words.tsx'

interface Changed {
  /** Like `key.update`. */
  readonly action: string
  readonly changes: Changes
}

/** What an entry of the audit says was changed, a line for each field: "Quota: $0.25 → $0.28". `most`: lines that are shown. */
export function ChangeList({ entry, most = Infinity }: { readonly entry: Changed; readonly most?: number }): ReactNode {
  return (
    <Suspense fallback={<span className="text-ink-3">…</span>}>
      <ObjectWords kind={kindOf(entry.action)} draw={(words) => <Lines entry={entry} words={words} most={most} />} />
    </Suspense>
  )
}

function Lines(props: { readonly entry: Changed; readonly words: FieldWords; readonly most: number }): ReactNode {
  const t = useTexts('audit')
  const shared = useSharedTexts()
  const format = useFormat()
  const { entry, words, most } = props
  const rows = changeRows(entry.changes, withMoreWords(words, auditWords(t, format.exactMoney)), { shared, format })
  if (rows.length === 0) return null
  return (
    <ul className="grid min-w-0 gap-0.5 text-sm text-ink-2">
      {rows.slice(0, most).map(({ field, label, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          {shared.labelled(label, `${before === null ? '' : `${before} → `}${after}`)}
        </li>
      ))}
      {rows.length > most && <li className="text-ink-3">{t.more(rows.length - most)}</li>}
    </ul>
  )
}

/** Fields and values that no form shows. */
function auditWords(
  t: { readonly fields: Readonly<Record<string, string>>; readonly values: Readonly<Record<string, string>> },
  money: (amount: string) => string,
): FieldWords {
  return {
    fields: t.fields,
    textOf(name, value) {
      if (typeof value !== 'string') return null
      return AMOUNTS.has(name) && AMOUNT.test(value) ? money(value) : (t.values[value] ?? null)
    },
  }
}

const AMOUNT = /^-?\d+(\.\d+)?$/
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'balance', 'refunded', 'taken_back', 'renews_up_to'])

/** What an entry is of, where forms and pages have words for its fields. */
function kindOf(action: string): ObjectKind | null {
  const [what = ''] = action.split('.')
  if (action === 'upstream.credential') return 'credential'
  return KINDS.find((kind) => kind === what) ?? null
}

const KINDS: readonly ObjectKind[] = [
  'group',
  'model',
  'upstream',
  'account',
  'plan',
  'key',
  'settings',
  'payments',
  'announcement',
]
