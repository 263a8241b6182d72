import { useEffect, useState, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Menu } from '../ui/menu.tsx'
import { Select } from '../ui/select.tsx'
import type { Column } from './column.ts'
import type { ShownColumns } from './use-shown-columns.ts'
import type { TableState } from './use-table-state.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const TYPING_MS = 250

const ColumnChoices = lazyPart(() => import('./column-choices.tsx'))

/** Above a table: search, filters, which columns, look again. */
export function TableToolbar<Row>(props: {
  readonly state: TableState
  readonly columns: ShownColumns<Row>
  /** On phones, where no header can be clicked. */
  readonly sortable: readonly Column<Row>[]
  readonly searchLabel: string | null
  readonly filters: ReactNode
  readonly isFetching: boolean
  onRefresh(): void
}): ReactNode {
  const t = useSharedTexts()
  const { state } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      {props.searchLabel !== null && <SearchField label={props.searchLabel} state={state} />}
      {props.filters}
      {props.sortable.length > 0 && <SortSelect state={state} columns={props.sortable} />}
      {state.isFiltered && (
        <Button look="quiet" icon="close" onClick={state.clear}>
          {t.table.clearFilters}
        </Button>
      )}
      <div className="ml-auto flex">
        <Menu onNear={ColumnChoices.load} trigger={<IconButton icon="columns" label={t.table.columns} />}>
          <ColumnChoices columns={props.columns} />
        </Menu>
        <IconButton icon="refresh" label={t.table.refresh} aria-busy={props.isFetching} onClick={props.onRefresh} />
      </div>
    </div>
  )
}

/** Asks the server once the typing pauses. */
function SearchField({ label, state }: { readonly label: string; readonly state: TableState }): ReactNode {
  const [text, setText] = useState(state.search)
  // The address may change by itself: back, forward, cleared filters.
  useEffect(() => setText(state.search), [state.search])
  useEffect(() => {
    if (text === state.search) return
    const timer = setTimeout(() => state.setSearch(text), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed starts the wait; the state is a new object each time.
  }, [text])
  return (
    <div className="relative w-full sm:w-64">
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className="pl-8"
      />
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
      className="min-w-36 flex-1"
      options={options}
      value={`${sort.by} ${sort.order}`}
      onValue={(value) => {
        const [by = '', order] = value.split(' ')
        props.state.setSort({ by, order: order === 'asc' ? 'asc' : 'desc' })
      }}
    />
  )
}
