import type { Column } from './column.ts'
import { flipped, isShown, withColumns } from './table-choices.ts'
import { useTableChoices } from './use-table-choices.ts'

type HideableColumn<Row> = Pick<Column<Row>, 'id' | 'header' | 'role' | 'isHiddenAtFirst' | 'isEmptyFor'>

export interface ColumnChoice {
  readonly id: string
  readonly header: string
  readonly isShown: boolean
}

export interface ShownColumns<Each> {
  readonly shown: readonly Each[]
  /** Columns that may be hidden, with whether they are shown. */
  readonly choices: readonly ColumnChoice[]
  /** Whether this person has chosen nothing here. */
  readonly areUsual: boolean
  toggle(id: string): void
  reset(): void
}

/**
 * The columns of the table called `name` that the person at this browser wants. `rows`: those on the page; what none of
 * them has is left out.
 */
export function useShownColumns<Row, Each extends HideableColumn<Row>>(
  name: string,
  columns: readonly Each[],
  rows: readonly Row[] = [],
): ShownColumns<Each> {
  const [{ columns: all }, change] = useTableChoices()
  const chosen = all.get(name) ?? NONE
  return {
    shown: columns.filter((column) => isShown(column, chosen) && (chosen.has(column.id) || hasValues(column, rows))),
    choices: columns
      .filter((column) => column.role === undefined)
      .map((column) => ({ id: column.id, header: column.header, isShown: isShown(column, chosen) })),
    areUsual: chosen.size === 0,
    toggle: (id) => {
      const column = columns.find((each) => each.id === id)
      if (column !== undefined) change((choices) => withColumns(choices, name, flipped(column, chosen)))
    },
    reset: () => change((choices) => withColumns(choices, name, NONE)),
  }
}

function hasValues<Row>(column: HideableColumn<Row>, rows: readonly Row[]): boolean {
  return rows.length === 0 || column.isEmptyFor === undefined || !rows.every((row) => column.isEmptyFor?.(row))
}

const NONE: ReadonlyMap<string, boolean> = new Map()
