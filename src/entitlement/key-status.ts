import type { ApiKey } from '../access/api-key.ts'
import type { ShownStatus } from '../access/key-list.ts'
import type { BudgetStore } from '../metering/budgets/budget.ts'
import { quotaBudgetOf } from './funding.ts'

/** What a key's status goes by. */
export type KeyWithStatus = Pick<ApiKey, 'id' | 'status' | 'expiresAt' | 'quotaLimit' | 'quotaReset'>

/**
 * The status of a key as it is shown, wherever it is shown; a deleted key counts as disabled. `quota`: how the budget of the
 * running period stands; null: nothing was charged to it yet. The filter of lists says the same in SQL.
 */
export function shownStatus(
  key: Omit<KeyWithStatus, 'id' | 'quotaReset'>,
  quota: { readonly used: bigint; readonly limit: bigint } | null,
  nowMs: number,
): ShownStatus {
  if (key.status !== 'active') return 'disabled'
  if (isExpired(key, nowMs)) return 'expired'
  if (key.quotaLimit === null) return 'active'
  const isUsedUp = key.quotaLimit <= 0n || (quota !== null && quota.used >= quota.limit)
  return isUsedUp ? 'quota_exhausted' : 'active'
}

/** Whether the key's validity is over. `nowMs`: epoch milliseconds. */
export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && nowMs >= expiresAt
}

/** The statuses of keys, in their order, with one query for all of their quotas. */
export async function readStatuses(
  keys: readonly KeyWithStatus[],
  budgets: BudgetStore,
  nowMs: number,
): Promise<readonly ShownStatus[]> {
  const quotas = keys.map((key) => quotaBudgetOf(key, nowMs))
  const asked = quotas.filter((quota) => quota !== null)
  const states = asked.length === 0 ? [] : await budgets.states(asked, nowMs)
  const stateById = new Map(asked.map(({ id }, i) => [id, states[i] ?? null]))
  return keys.map((key, i) => shownStatus(key, stateById.get(quotas[i]?.id ?? '') ?? null, nowMs))
}
