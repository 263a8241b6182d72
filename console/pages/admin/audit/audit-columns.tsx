import { useMemo, useState, type ReactNode } from 'react'
import type { AuditEntryView } from '../../../../src/contract/administration.ts'
import { objectOf, sentenceOf } from '../../../differences/audit-sentence.ts'
import { ChangeList } from '../../../differences/change-list.tsx'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nameOf } from '../../../format/name-of.ts'
import { formatMoment } from '../../../format/time.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import type { Column } from '../../../table/column.ts'
import { columnsOf } from '../../../table/columns-of.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'

/** What is listed of an entry of the audit: what was done, to what, what became of it, by whom and when. */
export function useAuditColumns(): readonly Column<AuditEntryView>[] {
  const t = useTexts('audit')
  const format = useFormat()
  const { language } = usePreferences()
  return useMemo(
    () =>
      columnsOf<AuditEntryView, keyof typeof t.columns>(t.columns, {
        action: {
          role: 'title',
          cell: ({ action }) => <span className="whitespace-nowrap">{t.sentences[action] ?? action}</span>,
        },
        subject: {
          isEmptyFor: ({ subject }) => subject === null,
          onPhone: 'plain',
          cell: (entry) => <ObjectName entry={entry} />,
        },
        changes: { cell: (entry) => <ChangesOf entry={entry} /> },
        who: {
          onPhone: 'plain',
          cell: ({ actor, actor_email: email, via, address }) => {
            const who = email ?? nameOf(actor, t.via)
            const from = [who === t.via[via] ? '' : t.via[via], address].filter((part) => part !== '').join(' · ')
            return (
              <span className="flex min-w-0 items-baseline gap-1.5 whitespace-nowrap">
                <CutName text={who} className="max-w-40 max-lg:max-w-full 2xl:max-w-xs" />
                <span className="max-w-24 truncate text-xs text-ink-3 max-lg:hidden 2xl:max-w-none" title={from}>
                  {from}
                </span>
              </span>
            )
          },
        },
        time: {
          onPhone: 'state',
          cell: ({ created_at: at }) => (
            <time dateTime={at} title={format.second(at)} className="whitespace-nowrap">
              {formatMoment(at, language)}
            </time>
          ),
        },
      }),
    [t, format, language],
  )
}

/** The object by its name, and whose it is where that is another than who changed it; by its ID where it has no name. */
function ObjectName({ entry }: { readonly entry: AuditEntryView }): ReactNode {
  const name = objectOf(entry)
  const { subject, account_email: owner, actor_email: actor } = entry
  if (name === null) {
    if (subject === null) return <span className="text-ink-3">–</span>
    return <CutName text={subject} className="max-w-36 font-mono text-sm max-lg:max-w-full 2xl:max-w-none" />
  }
  return (
    <span className="block min-w-0">
      <CutName text={name} className="max-w-44 max-lg:max-w-full 2xl:max-w-xs" />
      {owner !== null && owner !== name && owner !== actor && (
        <span className="block text-xs text-ink-3">
          <CutName text={owner} className="max-w-44 max-lg:max-w-full 2xl:max-w-xs" />
        </span>
      )}
    </span>
  )
}

/** What was changed in words; below it, once it is asked for, the entry as it is kept. */
function ChangesOf({ entry }: { readonly entry: AuditEntryView }): ReactNode {
  const t = useTexts('audit')
  const [isRaw, setRaw] = useState(false)
  const { action, subject, account_id, actor, changes } = entry
  return (
    <div className="min-w-0 lg:min-w-64 2xl:min-w-96">
      <div className="flex items-center justify-between gap-2">
        {Object.keys(changes).length === 0 ? (
          <span className="text-ink-3">–</span>
        ) : (
          <ChangeList entry={entry} most={LINES_SHOWN} />
        )}
        <IconButton
          icon={isRaw ? 'up' : 'down'}
          label={t.rawOf(sentenceOf(t, entry))}
          aria-expanded={isRaw}
          onClick={() => setRaw(!isRaw)}
          className="-my-1 text-ink-3"
        />
      </div>
      {isRaw && (
        <pre className="mt-1 rounded-md bg-sunken p-2 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
          {JSON.stringify({ action, subject, account_id, actor, changes }, null, 2)}
        </pre>
      )}
    </div>
  )
}

/** What is new has many fields. */
const LINES_SHOWN = 4
