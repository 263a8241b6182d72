import type { LimitNote } from '../../routing/kept-limits.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { changing } from '../engine/changes.ts'

/** What is known of targets' limits stands among the settings, a row each: `limits:<id of the upstream>:<model>`. */
const PREFIX = 'limits:'

export async function limitNotes(database: Database): Promise<readonly LimitNote[]> {
  const rows = await database.kysely
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'like', `${PREFIX}%`)
    .execute()
  return rows.flatMap(({ name, value }): LimitNote[] => {
    const [upstreamId, ...model] = name.slice(PREFIX.length).split(':')
    if (upstreamId === undefined || (value !== 'keeps' && value !== 'ignores')) return []
    return [{ upstreamId, model: model.join(':'), verdict: value }]
  })
}

/** Writes down a limit, but none of an upstream that was deleted meanwhile. That a target ignores limits is never written over. */
export async function noteLimit(database: Database, { upstreamId, model, verdict }: LimitNote): Promise<void> {
  await changing(database, async (transaction, record) => {
    const upstream = await transaction
      .selectFrom('upstreams')
      .select('id')
      .where('id', '=', upstreamId)
      .forUpdate()
      .executeTakeFirst()
    if (upstream === undefined) return
    await transaction
      .insertInto('settings')
      .values({ name: `${PREFIX}${upstreamId}:${model}`, value: verdict })
      .onConflict((conflict) =>
        verdict === 'keeps'
          ? conflict.column('name').doNothing()
          : conflict.column('name').doUpdateSet({ value: verdict }),
      )
      .execute()
    await record('catalog', upstreamId)
  })
}

/** Deletes the limits of an upstream that goes. */
export async function forgetLimits(transaction: TablesTransaction, upstreamId: string): Promise<void> {
  await transaction.deleteFrom('settings').where('name', 'like', `${PREFIX}${upstreamId}:%`).execute()
}
