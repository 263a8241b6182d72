import type { Column } from './column.ts'

/** So many columns stand below the name on a phone where a table has no say in it. */
const USUAL_FIGURES = 2

/** The columns as a phone has them at first: what names a row, its state and its most telling figures. */
export function columnsOnPhone<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const own = columns.some(({ onPhone }) => onPhone !== undefined)
  const usual = columns.filter(({ role, isHiddenAtFirst }) => role === undefined && isHiddenAtFirst !== true)
  const first = own ? usual.filter(({ onPhone }) => onPhone !== undefined) : usual.slice(0, USUAL_FIGURES)
  return columns.map((column) => ({ ...column, isHiddenAtFirst: column.role === undefined && !first.includes(column) }))
}
