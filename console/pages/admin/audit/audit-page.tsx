import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auditQuery } from '../../../api/audit.ts'
import { sentenceOf } from '../../../differences/audit-sentence.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { daySpan } from '../../../format/day-span.ts'
import { timeZoneHere } from '../../../format/local-time.ts'
import { DayFilter } from '../../../table/day-filter.tsx'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { TextFilter } from '../../../table/text-filter.tsx'
import { useTableState } from '../../../table/use-table-state.ts'
import { ListPage } from '../kit/list-page.tsx'
import { useAuditColumns } from './audit-columns.tsx'

/** Who changed what, newest first; all filters stand in the address; what is searched for is the ID of what was changed. */
export default function AuditPage(): ReactNode {
  const t = useTexts('audit')
  const table = useTableState({
    filters: ['actor', 'action', 'address', 'from', 'to'],
    sort: { by: 'time', order: 'desc' },
  })
  const { from, to, ...exact } = table.filters
  const span = daySpan({ from, to }, timeZoneHere())
  const query = { subject: table.search.trim(), ...exact, ...span }
  const entries = useQuery(auditQuery({ ...query, cursor: table.cursor }))
  const columns = useAuditColumns()
  const { admin_token, cli, file, none: anonymous } = t.via
  const actors = { admin_token, cli, file, anonymous }
  return (
    <ListPage
      name="audit"
      icon="clock"
      texts={t}
      columns={columns}
      state={table}
      page={entries}
      rowId={({ id }) => id}
      rowName={(entry) => sentenceOf(t, entry)}
      download={{ path: '/api/audit', query: query }}
      filters={
        <>
          <FilterSelect
            state={table}
            name="action"
            label={t.columns.action}
            // What things are done to is how their actions begin.
            options={Object.entries(t.actions).map(([what, label]) => ({ value: `${what}.`, label }))}
          />
          <TextFilter state={table} name="actor" label={t.filters.actor} named={actors} />
          <TextFilter state={table} name="address" label={t.filters.address} />
          {/* Side by side or not at all: one without the other is half a span. */}
          <span className="flex gap-2 max-sm:contents">
            <DayFilter state={table} name="from" label={t.filters.from} />
            <DayFilter state={table} name="to" label={t.filters.to} />
          </span>
        </>
      }
    />
  )
}
