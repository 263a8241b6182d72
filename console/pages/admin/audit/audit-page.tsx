import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { AuditEntryView } from '../../../../src/contract/administration.ts'
import { auditQuery } from '../../../api/audit.ts'
import { auditDictionary } from '../../../dictionaries/audit.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { useTableState } from '../../../table/use-table-state.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

/** Who changed what, newest first; what is searched for is the ID of what was changed. */
export function AuditPage(): ReactNode {
  const t = auditDictionary.useTexts()
  const table = useTableState({ filters: [], sort: { by: 'time', order: 'desc' } })
  const entries = useQuery(auditQuery({ subject: table.search.trim(), cursor: table.cursor }))
  const columns = useAuditColumns()
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} />
      <DataTable
        name="audit"
        label={t.title}
        columns={columns}
        state={table}
        page={entries}
        rowId={({ id }) => id}
        rowName={({ action }) => action}
        searchLabel={t.search}
        empty={
          <EmptyState icon="clock" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
    </>
  )
}

function useAuditColumns(): readonly Column<AuditEntryView>[] {
  const t = auditDictionary.useTexts()
  const format = useFormat()
  return useMemo(
    (): readonly Column<AuditEntryView>[] => [
      { id: 'action', header: t.columns.action, role: 'title', width: 'w-44', cell: ({ action }) => action },
      { id: 'time', header: t.columns.time, width: 'w-44', cell: ({ created_at: at }) => format.second(at) },
      {
        id: 'who',
        header: t.columns.who,
        width: 'w-56',
        cell: ({ actor, actor_email: email, via }) => (
          <span className="block min-w-0">
            <CutName text={email ?? actor} className="max-w-48" />
            <span className="block text-xs text-ink-3">{t.via[via]}</span>
          </span>
        ),
      },
      { id: 'address', header: t.columns.address, width: 'w-32', cell: ({ address }) => address },
      {
        id: 'subject',
        header: t.columns.subject,
        width: 'w-48',
        cell: ({ subject }) =>
          subject === null ? '–' : <CutName text={subject} className="max-w-40 font-mono text-sm" />,
      },
      {
        id: 'changes',
        header: t.columns.changes,
        cell: ({ changes }) => <Changes changes={changes} nothing={t.nothing} />,
      },
    ],
    [t, format],
  )
}

/** Each field with what it was and is. */
function Changes(props: { readonly changes: AuditEntryView['changes']; readonly nothing: string }): ReactNode {
  const shown = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return props.nothing
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (
    <ul className="min-w-0 text-sm">
      {Object.entries(props.changes).map(([field, { before, after }]) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-ink-3">{field}</span> {shown(before)} → {shown(after)}
        </li>
      ))}
    </ul>
  )
}
