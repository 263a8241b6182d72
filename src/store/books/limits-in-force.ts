import { limitsInForce } from '../../access/limits-in-force.ts'
import type { AccountLimits, SetLimits } from '../../core/account-limits.ts'
import type { TablesTransaction } from '../engine/database.ts'
import { limitsIn, limitsJson, raiseIn } from '../schema/limits-json.ts'

type SettingReader = Pick<TablesTransaction, 'selectFrom'>

/** The setting that holds the limits of all accounts that set none of their own. */
const STANDARD = 'account_limits'

/** The installation's limits for accounts, absent where there are none. */
export async function readStandardLimits(tables: SettingReader): Promise<{ readonly limits?: SetLimits }> {
  const row = await tables.selectFrom('settings').select('value').where('name', '=', STANDARD).executeTakeFirst()
  return limitsIn(row === undefined ? null : JSON.parse(row.value))
}

export async function writeStandardLimits(transaction: TablesTransaction, limits: SetLimits | null): Promise<void> {
  const value = limitsJson(limits ?? undefined)
  if (value === null) {
    await transaction.deleteFrom('settings').where('name', '=', STANDARD).execute()
    return
  }
  await transaction
    .insertInto('settings')
    .values({ name: STANDARD, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * The limits that hold for an account now. Its row is locked, so that no other change of its limits comes between, and what is
 * counted under them is counted by one at a time. null: there is no such account.
 */
export async function lockLimits(
  transaction: TablesTransaction,
  accountId: string,
  nowMs: number,
): Promise<AccountLimits | null> {
  const account = await transaction
    .selectFrom('accounts')
    .select(['limits_json', 'raise_json'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  if (account === undefined) return null
  const standard = await readStandardLimits(transaction)
  const running = await transaction
    .selectFrom('subscriptions')
    .select(['limits_json', 'starts_at', 'ends_at', 'cancelled_at'])
    .where('account_id', '=', accountId)
    .where('limits_json', 'is not', null)
    .where('ends_at', '>', nowMs)
    .where('cancelled_at', 'is', null)
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
  const subscriptions = running.map((row) => ({
    ...limitsIn(row.limits_json),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    cancelledAt: row.cancelled_at,
  }))
  const sources = {
    own: limitsIn(account.limits_json).limits,
    standard: standard.limits,
    ...raiseIn(account.raise_json),
  }
  return limitsInForce(sources, subscriptions, nowMs)
}
