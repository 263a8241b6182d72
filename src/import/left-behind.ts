import { isDeepStrictEqual } from 'node:util'
import type { ImportNotes } from './import-plan.ts'
import { type Row, type SourceReader, jsonOf, keyColumnOf, rowName, textIn } from './source.ts'

/** What of a database was asked for, so that everything else can be named. */
interface WatchedSource extends SourceReader {
  /** Columns that were read, by table. */
  readonly asked: ReadonlyMap<string, ReadonlySet<string>>
}

export function watched(source: SourceReader): WatchedSource {
  const asked = new Map<string, Set<string>>()
  return {
    ...source,
    asked,
    rows(table, columns, after) {
      const known = asked.get(table) ?? new Set<string>()
      for (const column of columns) known.add(column)
      asked.set(table, known)
      return source.rows(table, columns, after)
    },
  }
}

/** What a row is known by, belongs to, and when it came: of no use without the rest. */
const OF_THE_ROW = /^(?:id|created_at|updated_at|deleted_at|created_time|accessed_time|last_\w+_at|last_active|\w+_by)$/
/** Where one of these stands, nothing is set. */
const UNSET = ['', '0', 'f', 'false', '{}', '[]', 'null']

/**
 * Names the tables that were not read, with how many rows they have, and the columns of the others in which something stands
 * that was not read, with their rows.
 */
export async function noteLeftBehind(source: WatchedSource, notes: ImportNotes): Promise<void> {
  for (const [table, columns] of [...source.columns].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const asked = source.asked.get(table)
    if (asked === undefined) {
      const { rows, first, last } = await source.extentOf(table)
      const ids = first === null || last === null ? '' : ` (ids ${first} to ${last})`
      if (rows > 0) notes.note(table, null, `${rows} ${rows === 1 ? 'row' : 'rows'}${ids}, not carried`)
      continue
    }
    const left = [...columns].filter((column) => !asked.has(column) && !OF_THE_ROW.test(column)).sort()
    if (left.length === 0) continue
    let place = 0
    const key = keyColumnOf(table)
    const defaults = source.defaults?.get(table)
    for await (const row of source.rows(table, key === undefined ? left : [...left, key])) {
      place += 1
      // A table without ids is known by its places.
      const id = rowName(table, row) || `row ${place}`
      const isLeft = (column: string) =>
        isSetColumn(row, column) && !isDefault(textIn(row, column), defaults?.get(column))
      for (const column of left.filter(isLeft)) notes.note(table, id, `have ${column}, which is not carried`)
    }
  }
}

/** Whether a value is the one that the database itself puts there, in whatever way it is written. */
function isDefault(text: string, standing: string | undefined): boolean {
  if (standing === undefined) return false
  if (text.trim() === standing.trim()) return true
  const [value, other] = [valueOf(text), valueOf(standing)]
  return isDeepStrictEqual(value, other)
}

/** Booleans and numbers are written in several ways, and JSON with spaces or without. */
function valueOf(text: string): unknown {
  const plain = text.trim()
  if (/^(?:t|true)$/i.test(plain)) return 1
  if (/^(?:f|false)$/i.test(plain)) return 0
  return jsonOf(plain) ?? plain
}

/** Whether something stands in a column: neither nothing nor a zero of its kind. */
export function isSetColumn(row: Row, column: string): boolean {
  const text = textIn(row, column).trim().toLowerCase()
  return !UNSET.includes(text) && !/^-?0+(?:\.0+)?$/.test(text)
}
