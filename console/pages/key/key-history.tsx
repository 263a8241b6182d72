import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { keyDictionary } from '../../dictionaries/key.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

type Entry = KeyReport['history'][number]

/** What was done with a key, when, and by whom. */
export function KeyHistory({ history }: Pick<KeyReport, 'history'>): ReactNode {
  const t = keyDictionary.useTexts().detail
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

/** By the names that the API has for them, as in the documentation. */
function ChangeList({ changes }: Pick<Entry, 'changes'>): ReactNode {
  const rows = Object.entries(changes)
  if (rows.length === 0) return null
  return (
    <ul className="mt-0.5 grid gap-0.5 font-mono text-xs text-ink-2">
      {rows.map(([name, { before, after }]) => (
        <li key={name}>
          {name}: {shown(before)} → {shown(after)}
        </li>
      ))}
    </ul>
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
