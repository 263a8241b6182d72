import { sql } from 'kysely'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd } from '../../core/money.ts'
import type { OwnMultiplierCharge } from '../../metering/usage/usage-store.ts'
import type { Database } from '../engine/database.ts'
import { ownMultipliersIn } from '../schema/own-multipliers-json.ts'

/** How many accounts with own multipliers are looked at. */
const ACCOUNTS_LIMIT = 1_000

/** See `UsageStore.ownMultiplierCharges`. */
export async function ownMultiplierCharges(
  database: Database,
  sinceMs: number,
): Promise<readonly OwnMultiplierCharge[]> {
  const sinceHour = Math.floor(sinceMs / HOUR_MS) * HOUR_MS
  const rows = await database.snapshot((tables) =>
    tables
      .selectFrom((from) =>
        from
          .selectFrom('accounts')
          .select(['id', 'own_multipliers_json'])
          .where(sql<boolean>`own_multipliers_json <> '{}'`)
          .orderBy('id')
          .limit(ACCOUNTS_LIMIT)
          .as('favoured'),
      )
      .innerJoin('usage_account_hours as hours', 'hours.account_id', 'favoured.id')
      .where('hours.hour_at', '>=', sinceHour)
      .select(['favoured.own_multipliers_json', 'hours.group_id'])
      .select(sql<bigint>`cast(sum(hours.cost_nano) as bigint)`.as('charged_nano'))
      .groupBy(['favoured.id', 'favoured.own_multipliers_json', 'hours.group_id'])
      .execute(),
  )
  const sums = new Map<string, OwnMultiplierCharge>()
  for (const { own_multipliers_json: stored, group_id: groupId, charged_nano: charged } of rows) {
    const multiplier = ownMultipliersIn(stored).ownMultipliers?.[groupId]
    if (multiplier === undefined) continue
    const name = `${groupId} ${multiplier}`
    sums.set(name, { groupId, multiplier, charged: nanoUsd((sums.get(name)?.charged ?? 0n) + charged) })
  }
  return [...sums.values()]
}
