import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Column } from './column.ts'
import { SKELETON_ROWS, toggled, type RowListProps } from './row-list.ts'

/** The rows as a table, which scrolls sideways within itself when it must. */
export function RowTable<Row>(props: RowListProps<Row>): ReactNode {
  const { columns, rows, selected } = props
  return (
    <div
      role="region"
      aria-label={props.label}
      tabIndex={0}
      // Relative: labels for screen readers alone are placed absolutely, and would make the whole page as wide as the table.
      className={classNames('card relative overflow-x-auto transition-opacity', props.isStale && 'opacity-60')}
    >
      <table className="w-full border-collapse text-left" aria-busy={rows === undefined || props.isStale}>
        <thead>
          <tr className="border-b border-line text-sm text-ink-3">
            {selected !== null && <SelectAll {...props} selected={selected} />}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                <tr key={index} className="h-11 border-b border-line last:border-0">
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
      className={classNames(
        'h-11 border-b border-line last:border-0',
        isSelected ? 'bg-accent-soft' : 'hover:bg-sunken/60',
      )}
    >
      {selected !== null && (
        <td className="w-10 pl-1.5">
          <Checkbox
            checked={isSelected}
            onChecked={() => list.onSelected(toggled(selected, id))}
            aria-label={t.table.selectRow(list.rowName(row))}
          />
        </td>
      )}
      {list.columns.map((column) => (
        <td key={column.id} className={classNames('px-3 py-1.5', column.align === 'end' && 'text-right')}>
          {column.role === 'title' && list.onOpen !== undefined ? (
            <button
              type="button"
              onClick={() => list.onOpen?.(row)}
              className="text-left font-medium text-accent hover:underline"
            >
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}

function HeaderCell<Row>(props: {
  readonly column: Column<Row>
  readonly sort: RowListProps<Row>['sort']
  readonly onSort: RowListProps<Row>['onSort']
}): ReactNode {
  const { column, sort, onSort } = props
  const field = column.sort
  const classes = classNames(
    'h-9 px-3 font-medium whitespace-nowrap',
    column.width,
    column.align === 'end' && 'text-right',
  )
  if (field === undefined) {
    return (
      <th scope="col" className={classes}>
        <span className={column.role === 'actions' ? 'sr-only' : undefined}>{column.header}</span>
      </th>
    )
  }
  const isHere = sort.by === field
  const next = isHere && sort.order === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      className={classes}
      aria-sort={isHere ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        onClick={() => onSort({ by: field, order: next })}
        className={classNames('inline-flex items-center gap-1 hover:text-ink', isHere && 'text-ink')}
      >
        {column.header}
        <Icon
          name={isHere ? (sort.order === 'asc' ? 'up' : 'down') : 'sort'}
          className={classNames('size-3.5', !isHere && 'opacity-60')}
        />
      </button>
    </th>
  )
}

function SelectAll<Row>(props: RowListProps<Row> & { readonly selected: ReadonlySet<string> }): ReactNode {
  const t = useSharedTexts()
  const ids = props.rows?.map((row) => props.rowId(row)) ?? []
  const count = ids.filter((id) => props.selected.has(id)).length
  const isAll = count > 0 && count === ids.length
  return (
    <th scope="col" className="w-10 pl-1.5">
      <Checkbox
        checked={isAll}
        isPartly={count > 0}
        onChecked={() => props.onSelected(new Set(isAll ? [] : ids))}
        aria-label={t.table.selectAll}
      />
    </th>
  )
}
