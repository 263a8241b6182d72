import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsagePage } from '../../api/usage.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { useFormat } from '../../format/use-format.ts'
import { DataTable } from '../../table/data-table.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useRecordColumns } from './record-columns.tsx'
import { tableState } from './records-state.ts'
import type { UsageView } from './use-usage-search.ts'

/** Every request of the span and the filters, the newest first. */
export function RecordsTable(props: {
  readonly view: UsageView
  readonly records: UseQueryResult<UsagePage>
}): ReactNode {
  const t = useTexts('usage')
  const { view, records } = props
  const columns = useRecordColumns(records.data?.data)
  const state = tableState(view)
  const format = useFormat()
  const keptSince = records.data?.kept_since ?? null
  return (
    <>
      <DataTable
        name="usage"
        label={t.records}
        title={t.records}
        columns={columns}
        state={state}
        page={records}
        rowId={(record) => record.id}
        rowName={(record) => record.id}
        onOpen={(record) => view.change({ record: record.id })}
        searchLabel={null}
        empty={<NoRecords view={view} />}
      />
      {keptSince !== null && <p className="text-sm text-ink-3">{t.keptSince(format.time(keptSince))}</p>}
    </>
  )
}

/** Nothing in this span, or nothing ever: it is not known without one more request, so both ways out are offered. */
function NoRecords({ view }: { readonly view: UsageView }): ReactNode {
  const t = useTexts('usage')
  const shared = useSharedTexts()
  const { name } = view.search.span
  if (!view.isFiltered && name === '90d') {
    return (
      <EmptyState
        icon="usage"
        title={t.emptyTitle}
        action={
          <Link to={PATHS.overview} className={buttonClass('primary')}>
            {t.emptyAction}
          </Link>
        }
      >
        {t.emptyText}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="usage"
      title={t.nothingInSpan}
      action={
        <>
          {name !== '90d' && (
            <Button look="primary" onClick={() => view.change({ span: { name: '90d' }, by: null })}>
              {t.spans['90d']}
            </Button>
          )}
          {view.isFiltered && <Button onClick={() => view.change({ filters: {} })}>{shared.table.clearFilters}</Button>}
        </>
      }
    >
      {t.nothingInSpanText}
    </EmptyState>
  )
}
