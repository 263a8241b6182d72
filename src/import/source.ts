import { readRational, type Rational } from './rational.ts'

/** One row of another gateway's database, each value as text. null: SQL's null, and a column that this version lacks. */
export type Row = Readonly<Record<string, string | null>>

/** Another gateway's database, read-only and as of one moment. */
export interface SourceReader {
  /** The columns of each table, in lower case. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  /** What the database itself puts into columns of a new row, by table; absent: it does not say. */
  readonly defaults?: ReadonlyMap<string, ReadonlyMap<string, string>>
  /**
   * All rows of a table, in the order of their ids where it has them; those of a table that is not there are none. `after`:
   * only those with a larger id.
   */
  rows(table: string, columns: readonly string[], after?: string): AsyncIterable<Row>
  /** How many rows a table has, and its first and last id where it has numbers as such. */
  extentOf(table: string): Promise<Extent>
  /** What stands in these columns of the newest rows, each combination once; none where the table is not there. */
  latest(table: string, columns: readonly string[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Tables whose rows are known by a column of another name than `id`. */
const KEY_COLUMNS: Readonly<Record<string, string>> = {
  litellm_budgettable: 'budget_id',
  litellm_teamtable: 'team_id',
  litellm_usertable: 'user_id',
  litellm_verificationtoken: 'token',
}

export function keyColumnOf(table: string): string | undefined {
  return Object.hasOwn(KEY_COLUMNS, table) ? KEY_COLUMNS[table] : undefined
}

/** So much of a hash tells its row from all others, and is no more than a name. */
const HASH_SHOWN = 16

/** The name of a row in reports; empty: it has none. */
export function rowName(table: string, row: Row): string {
  const column = keyColumnOf(table)
  if (column === undefined) return textIn(row, 'id')
  return column === 'token' ? textIn(row, column).slice(0, HASH_SHOWN) : textIn(row, column)
}

export interface Extent {
  readonly rows: number
  readonly first: string | null
  readonly last: string | null
}

/** What stands in the way of an import, as one sentence for the person who asked for it. */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal'
}

export function hasColumns(
  source: Pick<SourceReader, 'columns'>,
  table: string,
  ...columns: readonly string[]
): boolean {
  const there = source.columns.get(table)
  return there !== undefined && columns.every((column) => there.has(column))
}

/** Lists names that are written in lines, with a space between them. */
export function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

/** Empty where there is nothing. */
export function textIn(row: Row, column: string): string {
  return row[column] ?? ''
}

/** null where there is nothing, or no integer. */
export function integerIn(row: Row, column: string): bigint | null {
  const text = row[column]?.trim() ?? ''
  return /^-?\d{1,30}$/.test(text) ? BigInt(text) : null
}

/** null where there is nothing, or no number. */
export function decimalIn(row: Row, column: string): Rational | null {
  return readRational(row[column]?.trim() ?? '')
}

/** Engines write it as 1, t or true. */
export function isTrueIn(row: Row, column: string): boolean {
  return ['1', 't', 'true'].includes(textIn(row, column).toLowerCase())
}

/** Epoch milliseconds of a column in Unix seconds; null where there is none above zero. */
export function secondsIn(row: Row, column: string): number | null {
  const seconds = integerIn(row, column)
  return seconds === null || seconds <= 0n ? null : Number(seconds) * 1000
}

/** Epoch milliseconds of a column with a date and time of UTC; null where there is none. */
export function momentIn(row: Row, column: string): number | null {
  const text = textIn(row, column).trim().replace(' ', 'T')
  if (text === '') return null
  const hasZone = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text)
  const ms = Date.parse(hasZone ? text.replace(/([+-]\d\d)$/, '$1:00') : `${text}Z`)
  return Number.isNaN(ms) ? null : ms
}

/** The value of a column with JSON; undefined where there is none. */
export function jsonIn(row: Row, column: string): unknown {
  return jsonOf(textIn(row, column))
}

export function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A JSON object's entries; none for anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

/** The parts of a list with commas. */
export function listIn(row: Row, column: string): readonly string[] {
  return textIn(row, column)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
