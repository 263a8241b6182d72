import { useMemo, type ReactNode } from 'react'
import type { AuditEntryView } from '../../../../src/contract/administration.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nameOf } from '../../../format/name-of.ts'
import { formatMoment } from '../../../format/time.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import type { Column } from '../../../table/column.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { changedValues, withMoments } from '../../../differences/changed-values.ts'
import { columnsOf } from '../../../table/columns-of.ts'

/** What is listed of an entry of the audit: what, when, by whom, to what, and what became of it. */
export function useAuditColumns(): readonly Column<AuditEntryView>[] {
  const t = useTexts('audit')
  const format = useFormat()
  const { language } = usePreferences()
  return useMemo(
    () =>
      columnsOf<AuditEntryView, keyof typeof t.columns>(t.columns, {
        action: { role: 'title', cell: ({ action }) => <span className="whitespace-nowrap">{action}</span> },
        time: {
          onPhone: 'state',
          cell: ({ created_at: at }) => (
            <time dateTime={at} title={format.second(at)} className="whitespace-nowrap">
              {formatMoment(at, language)}
            </time>
          ),
        },
        who: {
          onPhone: 'plain',
          cell: ({ actor, actor_email: email, via, address }) => {
            const who = email ?? nameOf(actor, t.via)
            return (
              <span className="flex min-w-0 items-baseline gap-1.5 whitespace-nowrap">
                <CutName text={who} className="max-w-40 max-lg:max-w-full 2xl:max-w-xs" />
                <span className="text-xs text-ink-3 max-lg:hidden">
                  {[who === t.via[via] ? '' : t.via[via], address].filter((part) => part !== '').join(' · ')}
                </span>
              </span>
            )
          },
        },
        subject: {
          isEmptyFor: ({ subject }) => subject === null,
          cell: ({ subject }) =>
            subject === null ? (
              <span className="text-ink-3">–</span>
            ) : (
              <CutName text={subject} className="max-w-36 font-mono text-sm max-lg:max-w-full 2xl:max-w-none" />
            ),
        },
        changes: { cell: ({ changes }) => <Changes changes={changes} nothing={t.nothing} /> },
      }),
    [t, format, language],
  )
}

/** Each field with what it was and is. */
function Changes(props: { readonly changes: AuditEntryView['changes']; readonly nothing: string }): ReactNode {
  const format = useFormat()
  const values = changedValues(props.changes, props.nothing, withMoments(format.second))
  if (values.length === 0) return <span className="text-ink-3">–</span>
  return (
    <ul className="min-w-0 text-sm lg:min-w-64 2xl:min-w-96">
      {values.map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-ink-3">{field}</span> {before !== null && `${before} → `}
          {after}
        </li>
      ))}
    </ul>
  )
}
