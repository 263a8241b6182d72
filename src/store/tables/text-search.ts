import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a column holds a searched text, whatever its case (outside ASCII: only on PostgreSQL). What they
 * write is meant as it stands: `%` and `_` stand for themselves, so no search makes the database try patterns.
 */
export function holding(column: string, search: string): RawBuilder<boolean> {
  const literal = search.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${literal}%`} escape '\\'`
}
