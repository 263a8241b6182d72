import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { classNames } from '../ui/class-names.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { toggled, type RowListProps } from './row-list.ts'

const SKELETON_CARDS = 4

/** The rows as cards: what is a table on a wide screen is read one below the other on a phone. */
export function CardList<Row>(props: RowListProps<Row>): ReactNode {
  if (props.rows === undefined) {
    return (
      <div className="grid gap-2 sm:grid-cols-2" aria-busy="true">
        {Array.from({ length: SKELETON_CARDS }, (_, index) => (
          <Skeleton key={index} className="h-36 rounded-lg" />
        ))}
      </div>
    )
  }
  return (
    <ul
      aria-label={props.label}
      aria-busy={props.isStale}
      className={classNames('grid gap-2 transition-opacity sm:grid-cols-2', props.isStale && 'opacity-60')}
    >
      {props.rows.map((row) => (
        <Card key={props.rowId(row)} row={row} list={props} />
      ))}
    </ul>
  )
}

function Card<Row>({ row, list }: { readonly row: Row; readonly list: RowListProps<Row> }): ReactNode {
  const t = useSharedTexts()
  const { selected, columns } = list
  const id = list.rowId(row)
  const title = columns.find((column) => column.role === 'title')
  const actions = columns.find((column) => column.role === 'actions')
  const lines = columns.filter((column) => column.role === undefined)
  return (
    <li
      data-row={id}
      className={classNames(
        'card min-w-0 p-3 compact:p-2',
        selected?.has(id) === true && 'border-accent bg-accent-soft',
      )}
    >
      {/* Where the title has words that do not fit beside the actions, these stand below it. */}
      <div className="flex flex-wrap items-center gap-1">
        <div className="flex max-w-full min-w-0 grow basis-[min-content] items-center gap-1">
          {selected !== null && (
            <Checkbox
              checked={selected.has(id)}
              onChecked={() => list.onSelected(toggled(selected, id))}
              aria-label={t.table.selectRow(list.rowName(row))}
              className="-ml-3"
            />
          )}
          <div className="min-w-0 flex-1 font-medium">
            {list.onOpen === undefined ? (
              title?.cell(row)
            ) : (
              <button
                type="button"
                onClick={() => list.onOpen?.(row)}
                className="max-w-full text-left text-accent touch:min-h-11"
              >
                {title?.cell(row)}
              </button>
            )}
          </div>
        </div>
        {actions !== undefined && <div className="ml-auto shrink-0 print:hidden">{actions.cell(row)}</div>}
      </div>
      <dl className="mt-1 compact:mt-0 grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1 compact:gap-y-0 compact:text-sm">
        {lines.map((column) => (
          <div key={column.id} className="contents">
            <dt className="text-sm text-ink-3">{column.header}</dt>
            <dd className="min-w-0 text-right">{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
