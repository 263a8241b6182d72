/**
 * Whether the database answered that it will never take this as it is: a value that fits no column, a rule that a row
 * breaks. Everything else (a full disk, a connection that is lost, a lock that took too long) may pass.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('sqliteCode' in error) return REFUSED_BY_SQLITE.has(Number(error.sqliteCode))
  return 'code' in error && REFUSED_BY_POSTGRES.test(String(error.code))
}

/** Primary result codes: too big, a constraint, a mismatch of types, out of range. */
const REFUSED_BY_SQLITE: ReadonlySet<number> = new Set([18, 19, 20, 25])

/** Classes of SQLSTATE: data, integrity, a limit of the server, an error raised by a trigger. */
const REFUSED_BY_POSTGRES = /^(22|23|54|P0)[0-9A-Z]{3}$/
