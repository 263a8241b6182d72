import type { Column } from './column.ts'

/** How a person wants tables: how close the rows stand, and which columns are shown where that is not the default. */
export interface TableChoices {
  readonly isCompact: boolean
  /** Whether a column is shown, by the table's name, then by the column's id. What is not in it is as its table has it at first. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, boolean>>
}

/** What a browser keeps for one person, with room for more than there is. */
const MOST = { characters: 20_000, tables: 60, columns: 60, name: 64 } as const

const NOTHING: TableChoices = { isCompact: false, columns: new Map() }

/** What something else wrote there counts as nothing. */
export function readChoices(text: string | null): TableChoices {
  if (text === null || text.length > MOST.characters) return NOTHING
  try {
    const found: unknown = JSON.parse(text)
    if (!isObject(found)) return NOTHING
    const columns = new Map<string, ReadonlyMap<string, boolean>>()
    for (const [table, chosen] of entriesOf(found['columns'], MOST.tables)) {
      columns.set(table, new Map(entriesOf(chosen, MOST.columns).filter(isChoice)))
    }
    return { isCompact: found['compact'] === true, columns }
  } catch {
    return NOTHING
  }
}

/** null: there is nothing to keep. */
export function writeChoices({ isCompact, columns }: TableChoices): string | null {
  const tables = [...columns].slice(-MOST.tables)
  if (!isCompact && tables.length === 0) return null
  return JSON.stringify({
    ...(isCompact ? { compact: true } : {}),
    ...(tables.length === 0
      ? {}
      : { columns: Object.fromEntries(tables.map(([table, chosen]) => [table, Object.fromEntries(chosen)])) }),
  })
}

/** Replaces the columns of one table, which is then the last that was chosen for. */
export function withColumns(choices: TableChoices, table: string, chosen: ReadonlyMap<string, boolean>): TableChoices {
  const columns = new Map(choices.columns)
  columns.delete(table)
  if (chosen.size > 0) columns.set(table, new Map([...chosen].slice(-MOST.columns)))
  return { ...choices, columns }
}

/** The properties of a column that say whether it is shown. */
type Choosable = Pick<Column<never>, 'id' | 'role' | 'isHiddenAtFirst'>

/** What names a row and what can be done with it always are; others as chosen, and as at first where nothing is. */
export function isShown(column: Choosable, chosen: ReadonlyMap<string, boolean>): boolean {
  return column.role !== undefined || (chosen.get(column.id) ?? column.isHiddenAtFirst !== true)
}

/** Chosen the other way. What is again as at first is forgotten. */
export function flipped(column: Choosable, chosen: ReadonlyMap<string, boolean>): ReadonlyMap<string, boolean> {
  const isShownAtFirst = column.isHiddenAtFirst !== true
  const next = new Map(chosen)
  if (isShown(column, chosen) === isShownAtFirst) next.set(column.id, !isShownAtFirst)
  else next.delete(column.id)
  return next
}

function entriesOf(found: unknown, most: number): [string, unknown][] {
  if (!isObject(found)) return []
  return Object.entries(found)
    .filter(([name]) => name !== '' && name.length <= MOST.name)
    .slice(-most)
}

function isObject(found: unknown): found is Readonly<Record<string, unknown>> {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

function isChoice(entry: [string, unknown]): entry is [string, boolean] {
  return typeof entry[1] === 'boolean'
}
