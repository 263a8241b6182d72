/** SQLite's word for a value that fits no column. */
export const MISMATCH = 20

/** What the usual failures of a file mean for the person who runs the gateway. By SQLite's primary result codes. */
const MEANINGS: Readonly<Record<number, string>> = {
  5: 'another process kept the database locked for too long',
  8: 'the database file or its directory is read-only',
  10: 'the database file could not be read or written',
  11: 'the database file is damaged',
  13: 'the disk is full',
  14: 'the database file could not be opened',
  26: 'the database file is not an SQLite database',
}

/** The error for what SQLite refused. `code`: its extended result code; null for an error of ours. */
export function sqliteFailure(message: string, code: number | null): Error {
  if (code === null) return new Error(message)
  const sqliteCode = code & 0xff
  const meaning = MEANINGS[sqliteCode]
  return Object.assign(new Error(meaning === undefined ? message : `${meaning} (${message})`), { sqliteCode })
}

/** SQLite's extended result code; null for an error that is not from it. */
export function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
}
