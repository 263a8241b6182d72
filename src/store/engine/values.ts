/** What a statement may be given, alike on both engines. */
export type Bindable = string | bigint | null

/** A row as an engine gives it: integers are bigint whatever their size. */
export type EngineRow = Readonly<Record<string, unknown>>

/**
 * Makes a value safe to bind. Whole numbers become bigint, because SQLite takes a JS number for a REAL in arithmetic and
 * loses cents above 2^53. Throws TypeError for what no column holds: fractions, dates, undefined, objects.
 */
export function bindable(value: unknown): Bindable {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'bigint' || value === null) return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value !== 'number') throw new TypeError(`a value of type ${typeof value} cannot be stored`)
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} cannot be stored: it is not a whole number`)
  return BigInt(value)
}

/** PostgreSQL refuses NUL, and half of a surrogate pair is not UTF-8: both are shown by the sign for "no such character". */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed
}

/**
 * Turns rows into values, here alone. What a column holds is said by its name, never guessed from its content:
 * `…_nano` and `…_ppm` bigint, `is_…` boolean, `…_json` parsed, any other integer (times, counts) a number, text as it is.
 */
export function decodeRows(rows: readonly EngineRow[]): Record<string, unknown>[] {
  const first = rows[0]
  if (first === undefined) return []
  const columns = Object.keys(first).map((name) => [name, decoderOf(name)] as const)
  return rows.map((row) => {
    const decoded: Record<string, unknown> = {}
    for (const [name, decode] of columns) {
      const value = row[name]
      decoded[name] = value === null ? null : decode(value)
    }
    return decoded
  })
}

type Decoder = (value: unknown) => unknown

function decoderOf(column: string): Decoder {
  if (column.endsWith('_nano') || column.endsWith('_ppm')) return whole
  if (column.startsWith('is_')) return (value) => whole(value) === 1n
  if (column.endsWith('_json')) return (value) => JSON.parse(String(value))
  return (value) => (typeof value === 'bigint' ? exactNumber(column, value) : value)
}

function whole(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new TypeError(`${String(value)} is not a whole number`)
  return value
}

function exactNumber(column: string, value: bigint): number {
  if (BigInt.asIntN(54, value) !== value) throw new RangeError(`${column} is ${value}, too large for a number`)
  return Number(value)
}
