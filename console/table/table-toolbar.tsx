import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from '../ui/button.tsx'
import { DownloadMenu } from '../ui/download-menu.tsx'
import type { Download } from '../ui/download.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Select } from '../ui/select.tsx'
import type { Column } from './column.ts'
import { SearchField } from './search-field.tsx'
import { TableMenu } from './table-menu.tsx'
import type { ShownColumns } from './use-shown-columns.ts'
import type { TableState } from './use-table-state.ts'

/** Above a table: search, filters, which columns and how close, look again. */
export function TableToolbar<Row>(props: {
  readonly title: string | undefined
  readonly state: TableState
  readonly columns: ShownColumns<unknown>
  /** Columns to sort by on phones, where no header can be clicked. */
  readonly sortable: readonly Column<Row>[]
  readonly searchLabel: string | null
  readonly filters: ReactNode
  readonly download: Download | undefined
  readonly isFetching: boolean
  onRefresh(): void
}): ReactNode {
  const t = useSharedTexts()
  const { state } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      {props.title !== undefined && <h2 className="text-lg">{props.title}</h2>}
      {props.searchLabel !== null && <SearchField label={props.searchLabel} state={state} />}
      {props.filters}
      {props.sortable.length > 0 && <SortSelect state={state} columns={props.sortable} />}
      {state.isFiltered && (
        <Button look="quiet" icon="close" onClick={state.clear}>
          {t.table.clearFilters}
        </Button>
      )}
      <div className="ml-auto flex">
        {props.download !== undefined && <DownloadMenu {...props.download} isQuiet />}
        <TableMenu columns={props.columns} />
        <IconButton icon="refresh" label={t.table.refresh} aria-busy={props.isFetching} onClick={props.onRefresh} />
      </div>
    </div>
  )
}

function SortSelect<Row>(props: { readonly state: TableState; readonly columns: readonly Column<Row>[] }): ReactNode {
  const t = useSharedTexts()
  const { sort } = props.state
  const options = props.columns.flatMap((column) => [
    { value: `${column.sort} asc`, label: t.table.sorted(column.header, t.table.ascending) },
    { value: `${column.sort} desc`, label: t.table.sorted(column.header, t.table.descending) },
  ])
  return (
    <Select<string>
      aria-label={t.table.sortBy}
      className="min-w-32 flex-1"
      options={options}
      value={`${sort.by} ${sort.order}`}
      onValue={(value) => {
        const [by = '', order] = value.split(' ')
        props.state.setSort({ by, order: order === 'asc' ? 'asc' : 'desc' })
      }}
    />
  )
}
