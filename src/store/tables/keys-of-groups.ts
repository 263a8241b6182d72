import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { GroupKeyCounts, MovableKeys } from '../../access/group.ts'
import type { Database } from '../engine/database.ts'
import type { Tables } from '../schema/tables.ts'

/** See `GroupStore.keyCounts`. Keys fall back to few different lists of groups, so those are added up here. */
export async function countKeysByGroup(database: Database): Promise<ReadonlyMap<string, GroupKeyCounts>> {
  const [first, fallback] = await Promise.all([
    database.kysely
      .selectFrom('api_keys')
      .select((key) => [
        'group_id',
        key.fn.countAll<number>().as('keys'),
        key.fn.count<number>('account_id').distinct().as('accounts'),
      ])
      .where('status', '<>', 'deleted')
      .groupBy('group_id')
      .execute(),
    database.kysely
      .selectFrom('api_keys')
      .select((key) => ['fallback_group_ids_json', key.fn.countAll<number>().as('keys')])
      .where('status', '<>', 'deleted')
      .where('fallback_group_ids_json', '<>', '[]')
      .groupBy('fallback_group_ids_json')
      .execute(),
  ])
  const counts = new Map<string, GroupKeyCounts>(
    first.map((row) => [row.group_id, { keys: row.keys, accounts: row.accounts, fallbackKeys: 0 }]),
  )
  for (const row of fallback) {
    for (const id of row.fallback_group_ids_json as readonly string[]) {
      const before = counts.get(id) ?? { keys: 0, accounts: 0, fallbackKeys: 0 }
      counts.set(id, { ...before, fallbackKeys: before.fallbackKeys + row.keys })
    }
  }
  return counts
}

/** See `GroupStore.movableKeys`. */
export async function movableKeysOf(
  database: Database,
  { groupId, limit }: { readonly groupId: string; readonly limit: number },
): Promise<MovableKeys> {
  const keys = database.kysely.selectFrom('api_keys').where('status', '<>', 'deleted').where(keyIsInGroup(groupId))
  const [ids, counted] = await Promise.all([
    limit === 0 ? [] : keys.select('id').where('is_managed', '=', false).orderBy('id').limit(limit).execute(),
    keys
      .select((key) => ['is_managed', key.fn.countAll<number>().as('keys')])
      .groupBy('is_managed')
      .execute(),
  ])
  const countOf = (isManaged: boolean): number => counted.find((row) => row.is_managed === isManaged)?.keys ?? 0
  return { ids: ids.map(({ id }) => id), movable: countOf(false), managed: countOf(true) }
}

/** Whether a key is in the group or falls back to it. */
export function keyIsInGroup(groupId: string) {
  return (key: ExpressionBuilder<Tables, 'api_keys'>): Expression<SqlBool> =>
    key.or([key('group_id', '=', groupId), key('fallback_group_ids_json', 'like', naming(groupId))])
}

/** Finds an id in the text of a list. Its underscore would stand for any character, which no other id has at that place. */
export function naming(id: string): string {
  return `%"${id}"%`
}
