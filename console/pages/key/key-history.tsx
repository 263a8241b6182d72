import type { ReactNode } from 'react'
import type { KeyReport } from '../../../src/contract/key-report.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { ChangeList } from '../../differences/change-list.tsx'

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
              {entry.action !== 'key.create' && <ChangeList entry={entry} />}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
