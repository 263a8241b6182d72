import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useHiddenEdges } from '../ui/use-hidden-edges.ts'
import type { Column } from './column.ts'
import { SKELETON_ROWS, toggled, type RowListProps } from './row-list.ts'
import { nextSort } from './table-search.ts'

interface CellProps<Row> {
  readonly column: Column<Row>
  /** What stands at the start of its column, beside what stands at the end of the one before. */
  readonly isAfterEnd: boolean
  readonly list: RowListProps<Row>
}

/** The head stays in sight while the rows scroll below it: under the bar of a phone, unless the table scrolls within itself. */
export const STICKY_HEAD =
  'sticky top-0 max-lg:top-14 max-lg:group-data-hidden-end:top-0 max-lg:group-data-hidden-start:top-0 z-11 h-9 bg-surface shadow-[inset_0_-1px_0_var(--color-line)]'
/** What names a row and what can be done with it stay in sight while the rest scrolls below them. */
const PINNED = 'sticky z-10 bg-inherit'
const PINNED_CHECKBOX = `${PINNED} left-0`
/** A shadow on the edge below which something is hidden. */
const START_EDGE =
  'after:pointer-events-none after:absolute after:inset-y-0 after:-right-3 after:w-3 after:bg-linear-to-r after:from-edge/25 after:to-transparent after:opacity-0 group-data-hidden-start:after:opacity-100'
const END_EDGE =
  'after:pointer-events-none after:absolute after:inset-y-0 after:-left-3 after:w-3 after:bg-linear-to-l after:from-edge/25 after:to-transparent after:opacity-0 group-data-hidden-end:after:opacity-100'

function pinOf(column: Pick<Column<never>, 'role'>, hasCheckbox: boolean): string | undefined {
  if (column.role === 'title') return `${PINNED} ${START_EDGE} ${hasCheckbox ? 'left-10' : 'left-0'}`
  if (column.role === 'actions') return `${PINNED} ${END_EDGE} right-0 print:hidden`
  return undefined
}

/** The rows as a table, which scrolls sideways within itself when it must. */
export function RowTable<Row>(props: RowListProps<Row>): ReactNode {
  const { columns, rows, selected } = props
  return (
    <div
      ref={useHiddenEdges()}
      role="region"
      aria-label={props.label}
      tabIndex={0}
      // Relative: labels for screen readers alone are placed absolutely, and would make the whole page as wide as the table.
      // It scrolls only where it must: the head of a table that fits stays in sight of the window.
      className={classNames(
        'card group relative overflow-clip transition-opacity data-hidden-end:overflow-auto data-hidden-start:overflow-auto',
        props.isStale && 'opacity-60',
      )}
    >
      <table className="w-full border-collapse text-left" aria-busy={rows === undefined || props.isStale}>
        <thead>
          <tr className="bg-surface text-sm text-ink-3">
            {selected !== null && <SelectAll {...props} selected={selected} />}
            {columns.map((column, index) => (
              <HeaderCell key={column.id} column={column} isAfterEnd={isAfterEnd(columns, index)} list={props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <tr key={index} className="h-9 border-b border-line last:border-0">
                  <td colSpan={columns.length + (selected === null ? 0 : 1)} className="px-3">
                    <Skeleton className="h-4 w-full" />
                  </td>
                </tr>
              ))
            : rows.map((row) => <BodyRow key={props.rowId(row)} row={row} list={props} />)}
        </tbody>
      </table>
    </div>
  )
}

function BodyRow<Row>({ row, list }: { readonly row: Row; readonly list: RowListProps<Row> }): ReactNode {
  const t = useSharedTexts()
  const { selected } = list
  const id = list.rowId(row)
  const isSelected = selected?.has(id) === true
  return (
    <tr
      data-row={id}
      className={classNames(
        'h-9 border-b border-line text-sm last:border-0',
        isSelected ? 'bg-accent-soft' : 'bg-surface hover:bg-hovered',
      )}
    >
      {selected !== null && (
        <td className={classNames('w-10 py-0 pl-1.5', PINNED_CHECKBOX)}>
          <Checkbox
            checked={isSelected}
            onChecked={() => list.onSelected(toggled(selected, id))}
            aria-label={t.table.selectRow(list.rowName(row))}
          />
        </td>
      )}
      {list.columns.map((column, index) => (
        <BodyCell key={column.id} column={column} isAfterEnd={isAfterEnd(list.columns, index)} row={row} list={list} />
      ))}
    </tr>
  )
}

function isAfterEnd(columns: readonly Pick<Column<never>, 'align' | 'role'>[], index: number): boolean {
  const column = columns[index]
  return columns[index - 1]?.align === 'end' && column?.align !== 'end' && column?.role !== 'actions'
}

/** Keeps cells as far from the edge of the card as a checkbox; buttons have room of their own. */
const edgesOf = ({ role }: Pick<Column<never>, 'role'>): string =>
  role === 'actions' ? '' : 'first:pl-3.5 last:pr-3.5'

/** Both would be read as one. */
const AFTER_END = 'pl-5 2xl:pl-8'

/** The cell that names its row is the row's header, for screen readers. */
function BodyCell<Row>({ column, isAfterEnd: isApart, row, list }: CellProps<Row> & { readonly row: Row }): ReactNode {
  const classes = classNames(
    'px-1.5 font-normal 2xl:px-3',
    // Buttons are as high as a row, and need no room above and below.
    column.role === 'actions' ? 'py-0' : 'py-1',
    edgesOf(column),
    column.align === 'end' && 'text-right',
    isApart && AFTER_END,
    pinOf(column, list.selected !== null),
  )
  if (column.role !== 'title') return <td className={classes}>{column.cell(row)}</td>
  return (
    <th scope="row" className={classes}>
      {list.onOpen === undefined ? (
        column.cell(row)
      ) : (
        <button
          type="button"
          onClick={() => list.onOpen?.(row)}
          className="text-left font-medium text-accent hover:underline"
        >
          {column.cell(row)}
        </button>
      )}
    </th>
  )
}

function HeaderCell<Row>({ column, isAfterEnd: isApart, list }: CellProps<Row>): ReactNode {
  const { sort } = list
  const field = column.sort
  const classes = classNames(
    STICKY_HEAD,
    'px-1.5 font-medium 2xl:px-3 whitespace-nowrap',
    edgesOf(column),
    column.width,
    column.align === 'end' && 'text-right',
    isApart && AFTER_END,
    pinOf(column, list.selected !== null),
  )
  if (field === undefined) {
    return (
      <th scope="col" className={classes}>
        <span className={column.role === 'actions' ? 'sr-only' : undefined}>{column.header}</span>
        <HeadRoom column={column} />
      </th>
    )
  }
  const isHere = sort.by === field
  const next = nextSort(field, column.sortsFirst ?? 'asc', sort)
  return (
    <th
      scope="col"
      className={classes}
      aria-sort={isHere ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        onClick={() => list.onSort(next)}
        className={classNames(
          'inline-flex items-center gap-1 hover:text-ink',
          // The last letter stands above the last digit.
          column.align === 'end' && 'flex-row-reverse',
          isHere && 'text-ink',
        )}
      >
        {column.header}
        <Icon
          name={isHere ? (sort.order === 'asc' ? 'up' : 'down') : 'sort'}
          className={classNames('size-3.5', !isHere && 'opacity-60')}
        />
      </button>
      <HeadRoom column={column} />
    </th>
  )
}

/** The room that most amounts below have behind their last digit. */
function HeadRoom({ column }: { readonly column: Pick<Column<never>, 'room'> }): ReactNode {
  if (column.room === undefined || column.room === 0) return null
  return (
    <span aria-hidden="true" className="invisible select-none">
      {'0'.repeat(column.room)}
    </span>
  )
}

function SelectAll<Row>(props: RowListProps<Row> & { readonly selected: ReadonlySet<string> }): ReactNode {
  const t = useSharedTexts()
  const ids = props.rows?.map((row) => props.rowId(row)) ?? []
  const count = ids.filter((id) => props.selected.has(id)).length
  const isAll = count > 0 && count === ids.length
  return (
    <th scope="col" className={classNames(STICKY_HEAD, 'w-10 pl-1.5', PINNED_CHECKBOX)}>
      <Checkbox
        checked={isAll}
        isPartly={count > 0}
        disabled={ids.length === 0}
        onChecked={() => props.onSelected(new Set(isAll ? [] : ids))}
        aria-label={t.table.selectAll}
      />
    </th>
  )
}
