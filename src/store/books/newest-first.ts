import { type RawBuilder, sql } from 'kysely'
import type { ListPlace } from '../../core/list-place.ts'

/** Keeps what stands behind a place in a list that is ordered by `created_at` and `id`, both descending. */
export function behind(table: string, { createdAt, id }: ListPlace): RawBuilder<boolean> {
  const [time, name] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  return sql<boolean>`(${time} < ${createdAt} or (${time} = ${createdAt} and ${name} < ${id}))`
}
