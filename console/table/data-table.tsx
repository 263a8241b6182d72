import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { CardList } from './card-list.tsx'
import type { Column } from './column.ts'
import { RowTable } from './row-table.tsx'
import { columnsOnPhone } from './shown-columns.ts'
import { TablePager } from './table-pager.tsx'
import { TableToolbar } from './table-toolbar.tsx'
import { useShownColumns } from './use-shown-columns.ts'
import type { TableState } from './use-table-state.ts'
import { Button } from '../ui/button.tsx'
import type { Download } from '../ui/download.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { NotRefreshed } from '../ui/query-view.tsx'
import { useFailureToast } from '../ui/toasts.tsx'
import { useIsNarrow } from '../ui/use-media.ts'

/** The properties of a query's result that the table needs. */
export interface TablePage<Row> {
  readonly data:
    | {
        readonly data: readonly Row[]
        readonly next_cursor: string | null
        readonly total?: number
        readonly total_is_more?: boolean
      }
    | undefined
  readonly error: unknown
  readonly isFetching: boolean
  /** When the data were read, epoch milliseconds. */
  readonly dataUpdatedAt?: number
  refetch(): unknown
}

export interface DataTableProps<Row> {
  /** Names the choice of columns in this browser. */
  readonly name: string
  /** What is listed, for screen readers. */
  readonly label: string
  /** A heading in line with the controls, where the list is a part of a page. */
  readonly title?: string
  readonly columns: readonly Column<Row>[]
  readonly state: TableState
  readonly page: TablePage<Row>
  rowId(row: Row): string
  rowName(row: Row): string
  /** Opens a row; the title cell becomes the button for it. */
  onOpen?(row: Row): void
  /** What is shown when there is nothing at all, without any filter. */
  readonly empty: ReactNode
  /** `FilterSelect`s and the like. */
  readonly filters?: ReactNode
  /** All of it as a file, with the filters that are set. */
  readonly download?: Download
  /** null: no search field. */
  readonly searchLabel: string | null
  /** Buttons for the selected rows. Left out: nothing can be selected. */
  bulk?: ((rows: readonly Row[], clear: () => void) => ReactNode) | undefined
  /** Reads the rows of all pages that match, for `bulk`. Left out: only those of one page can be selected. */
  readonly everyRow?: (() => Promise<EveryRow<Row>>) | undefined
}

/** A list that the server searches, filters, sorts and pages: a table on wide screens, rows of two lines on phones. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const t = useSharedTexts()
  const { state, page, rowId } = props
  const isNarrow = useIsNarrow()
  const columns = useShownColumns(props.name, isNarrow ? columnsOnPhone(props.columns) : props.columns, page.data?.data)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const rows = page.data?.data
  const { cursor: _cursor, ...asked } = state.query
  const every = useEveryRow(props.everyRow, JSON.stringify(asked))
  const ofPage = rows?.filter((row) => selected.has(rowId(row))) ?? []
  const chosen = every.found?.rows ?? ofPage
  const isWholePage = ofPage.length > 0 && ofPage.length === rows?.length
  const select = (ids: ReadonlySet<string>): void => {
    every.forget()
    setSelected(ids)
  }
  const List = isNarrow ? CardList<Row> : RowTable<Row>
  const isEmpty = rows?.length === 0
  // What narrows a list, or takes it along, is of no use where there is nothing.
  const isBare = isEmpty && !state.isFiltered && state.cursor === null
  return (
    <div className="grid min-w-0 gap-3">
      {isBare ? (
        props.title !== undefined && <h2 className="text-lg">{props.title}</h2>
      ) : (
        <TableToolbar
          title={props.title}
          state={state}
          columns={columns}
          sortable={isNarrow ? props.columns.filter((column) => column.sort !== undefined) : []}
          searchLabel={props.searchLabel}
          filters={props.filters}
          download={props.download}
          isFetching={page.isFetching}
          onRefresh={() => void page.refetch()}
        />
      )}
      <NotRefreshed query={page} />
      {page.error !== null && rows === undefined ? (
        <ErrorState error={page.error} onRetry={() => void page.refetch()} />
      ) : isEmpty ? (
        <div className="card">
          {state.isFiltered ? (
            <EmptyState
              icon="search"
              title={t.table.nothingFits}
              action={<Button onClick={state.clear}>{t.table.clearFilters}</Button>}
            />
          ) : (
            props.empty
          )}
        </div>
      ) : (
        // One block: what stands at the foot of the window stays within it.
        <div className="min-w-0">
          <List
            label={props.label}
            columns={columns.shown}
            rows={rows}
            isStale={page.isFetching && rows !== undefined}
            sort={state.sort}
            onSort={state.setSort}
            rowId={rowId}
            rowName={props.rowName}
            onOpen={props.onOpen}
            selected={props.bulk === undefined ? null : selected}
            onSelected={select}
          />
          {chosen.length > 0 && (
            <div role="status" className={BULK_BAR}>
              <span className="mr-auto font-medium">
                {every.found?.isCut === true ? t.table.selectedFirst(chosen.length) : t.table.selected(chosen.length)}
              </span>
              {every.found === null && isWholePage && every.read !== null && page.data?.next_cursor !== null && (
                <Button look="quiet" isBusy={every.isReading} onClick={every.read}>
                  {t.table.selectEvery}
                </Button>
              )}
              {props.bulk?.(chosen, () => select(new Set()))}
              <Button look="quiet" onClick={() => select(new Set())}>
                {t.table.clearSelection}
              </Button>
            </div>
          )}
        </div>
      )}
      {/* Not while the rows are on their way: they would push it. */}
      {(rows !== undefined || page.error !== null) && (
        <TablePager state={state} page={page.data} readAtMs={page.dataUpdatedAt} />
      )}
    </div>
  )
}

/** The bar at the foot of the window, whichever row was ticked; on narrow windows above the navigation. */
const BULK_BAR =
  'popup sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-20 mt-2 flex flex-wrap items-center gap-2 px-3 py-1.5 lg:bottom-3'

/** `isCut`: there are more. */
interface EveryRow<Row> {
  readonly rows: readonly Row[]
  readonly isCut: boolean
}

/** The rows of all pages, once they were asked for, until something else is `asked` of the list. */
function useEveryRow<Row>(everyRow: (() => Promise<EveryRow<Row>>) | undefined, asked: string) {
  const reading = useMutation({
    mutationFn: async (of: string) => ({ of, ...((await everyRow?.()) ?? { rows: [], isCut: false }) }),
    onError: useFailureToast(),
  })
  const found = reading.data?.of === asked ? reading.data : null
  return {
    found,
    isReading: reading.isPending,
    /** null: there is no way to. */
    read: everyRow === undefined ? null : () => reading.mutate(asked),
    forget: () => reading.reset(),
  }
}
