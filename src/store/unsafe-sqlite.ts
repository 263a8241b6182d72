/**
 * Why the embedded database is not quite safe on this version of SQLite, for the log; null where it is. Up to 3.51.2, two
 * connections that check-point at the same moment may leave pages of the write-ahead file behind (SQLite, "Write-Ahead
 * Logging", section "The WAL-Reset Bug", March 2026; the fix went into 3.44.6 and 3.50.7 as well). The pinned Node has a
 * later one; another takes its place where that is missing.
 */
export function unsafeSqlite(version: string): string | null {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const isFixed = major > 3 || minor > 51 || (FIXED_IN[minor] ?? Infinity) <= patch
  if (isFixed) return null
  return `This Node.js comes with SQLite ${version}, which can lose writes of the embedded database in rare cases (the WAL-reset bug, fixed in 3.51.3). Install a Node.js with a later SQLite, or use PostgreSQL.`
}

/** The first safe patch of a minor version. */
const FIXED_IN: Readonly<Record<number, number>> = { 44: 6, 50: 7, 51: 3 }
