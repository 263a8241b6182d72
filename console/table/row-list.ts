import type { Column } from './column.ts'
import type { Sort } from './table-search.ts'

/** What the table of a wide screen and the cards of a phone are both given. */
export interface RowListProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** undefined: on their way. */
  readonly rows: readonly Row[] | undefined
  /** Others are on their way, and these are shown until then. */
  readonly isStale: boolean
  readonly sort: Sort
  onSort(sort: Sort): void
  rowId(row: Row): string
  rowName(row: Row): string
  readonly onOpen: ((row: Row) => void) | undefined
  /** Ids; null: nothing can be selected. */
  readonly selected: ReadonlySet<string> | null
  onSelected(selected: ReadonlySet<string>): void
}

/** How many rows are drawn while the first are on their way. */
export const SKELETON_ROWS = 8

/** The set with or without one. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}
