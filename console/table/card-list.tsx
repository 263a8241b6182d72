import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { classNames } from '../ui/class-names.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Column } from './column.ts'
import { SKELETON_ROWS, toggled, type RowListProps } from './row-list.ts'

/** What is pressed in a row lies above the title, whose reach is the whole row. */
const ABOVE = 'relative z-1'
const ABOVE_INSIDE = '[&_:is(a,button)]:relative [&_:is(a,button)]:z-1'

/** The rows for narrow windows: two lines each, the name with its state and below it the most telling figures. */
export function CardList<Row>(props: RowListProps<Row>): ReactNode {
  const { rows } = props
  return (
    <ul
      aria-label={props.label}
      aria-busy={rows === undefined || props.isStale}
      className={classNames('card divide-y divide-line transition-opacity', props.isStale && 'opacity-60')}
    >
      {rows === undefined
        ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <li key={index} className="grid gap-2 px-3 py-2.5">
              <Skeleton className="h-5 w-1/2" />
              <Skeleton className="h-4 w-3/4" />
            </li>
          ))
        : rows.map((row) => <Card key={props.rowId(row)} row={row} list={props} />)}
    </ul>
  )
}

function Card<Row>({ row, list }: { readonly row: Row; readonly list: RowListProps<Row> }): ReactNode {
  const t = useSharedTexts()
  const { selected, columns } = list
  const id = list.rowId(row)
  const title = columns.find((column) => column.role === 'title')
  const actions = columns.find((column) => column.role === 'actions')
  const states = columns.filter((column) => column.role === undefined && column.onPhone === 'state')
  const figures = columns.filter((column) => column.role === undefined && column.onPhone !== 'state')
  // Beside the name where nothing else is; below it where they would take its room.
  const buttons = actions !== undefined && (
    <div className={classNames('-my-2 -mr-2 ml-auto shrink-0 print:hidden', ABOVE)}>{actions.cell(row)}</div>
  )
  return (
    <li
      data-row={id}
      className={classNames(
        'relative flex min-w-0 px-3 py-2 first:rounded-t-lg last:rounded-b-lg compact:py-1',
        selected?.has(id) === true && 'bg-accent-soft',
      )}
    >
      {selected !== null && (
        <Checkbox
          checked={selected.has(id)}
          onChecked={() => list.onSelected(toggled(selected, id))}
          aria-label={t.table.selectRow(list.rowName(row))}
          className={classNames('-my-2 -ml-3 shrink-0', ABOVE)}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-y-0.5">
        <div className="flex min-w-0 items-center gap-2">
          <div className={classNames('min-w-0 flex-1 font-medium', ABOVE_INSIDE)}>
            {list.onOpen === undefined ? (
              title?.cell(row)
            ) : (
              <button
                type="button"
                onClick={() => list.onOpen?.(row)}
                className="static! max-w-full text-left text-accent after:absolute after:inset-0"
              >
                {title?.cell(row)}
              </button>
            )}
          </div>
          {states.map((column) => (
            <Value key={column.id} column={column} row={row} className="max-w-3/5 min-w-0 text-right text-sm" />
          ))}
          {states.length === 0 && buttons}
        </div>
        <div className="flex min-w-0 items-center gap-2 empty:hidden">
          {figures.length > 0 && (
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 text-sm text-ink-2">
              {figures.map((column) => (
                <Value key={column.id} column={column} row={row} className="flex min-w-0 max-w-full gap-1.5" />
              ))}
            </div>
          )}
          {states.length > 0 && buttons}
        </div>
      </div>
    </li>
  )
}

/** What a column says of a row. Its header is there for screen readers where it would say nothing more to the eye. */
function Value<Row>(props: { readonly column: Column<Row>; readonly row: Row; readonly className: string }): ReactNode {
  const { column, row, className } = props
  const isNamed = column.onPhone !== 'state' && column.onPhone !== 'plain'
  return (
    <div className={classNames(className, ABOVE_INSIDE)}>
      <span className={isNamed ? 'shrink-0 text-ink-3' : 'sr-only'}>{column.header} </span>
      <span className="min-w-0">{column.cell(row)}</span>
    </div>
  )
}
