import type { Selectable } from 'kysely'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { GrantAnswer, GrantRequest, LeaseStore } from '../../metering/budget.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import type { LeaseRow } from '../schema/tables.ts'
import { availableIn, lockBudget, newBudgetRow, type StoredBudget } from './budget-rows.ts'
import { heldBy } from './charging.ts'

type StoredLease = Selectable<LeaseRow>

/** Ids in one statement, and leases closed in one transaction. */
const PORTION = 500

/** Locks budgets before leases, both in the order of their ids, as the settle does. */
export class SqlLeaseStore implements LeaseStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  grant(request: GrantRequest): Promise<GrantAnswer> {
    return this.#database.transaction((transaction) => grantIn(transaction, request))
  }

  async renew(nodeId: string, leaseIds: readonly string[], expiresAtMs: number): Promise<readonly string[]> {
    const renewed: string[] = []
    for (const ids of portions(leaseIds)) {
      const active = await this.#database.transaction((transaction) =>
        renewIn(transaction, { nodeId, ids, expiresAtMs }),
      )
      renewed.push(...active)
    }
    return renewed
  }

  async close(nodeId: string, leaseIds: readonly string[]): Promise<void> {
    for (const ids of portions(leaseIds)) await this.#closeSome({ nodeId, ids })
  }

  closeExpired(nowMs: number): Promise<number> {
    return this.#closeAll({ expiredAtMs: nowMs })
  }

  closeOfNode(nodeId: string): Promise<number> {
    return this.#closeAll({ nodeId })
  }

  async #closeAll(which: ClosingChoice): Promise<number> {
    let closed = 0
    for (;;) {
      const { found, gone } = await this.#closeSome(which)
      closed += gone
      // None of a whole portion was there any more: somebody else is closing them.
      if (found < PORTION || gone === 0) return closed
    }
  }

  #closeSome(which: ClosingChoice): Promise<{ found: number; gone: number }> {
    return this.#database.transaction((transaction) => closeIn(transaction, which))
  }
}

async function grantIn(transaction: TablesTransaction, request: GrantRequest): Promise<GrantAnswer> {
  const budget = await openedBudget(transaction, request)
  if (budget === undefined) return { kind: 'refused', limit: ZERO_NANO_USD, available: ZERO_NANO_USD }
  const leases = await leasesOf(transaction, budget.id)
  const expired = leases.filter((lease) => lease.expires_at <= request.nowMs)
  await deleteLeases(transaction, expired)
  const held = budget.held_nano - sumHeld(expired)
  const available = availableIn({ ...budget, held_nano: held })
  if (available < request.need) {
    if (expired.length > 0) await writeHeld(transaction, budget.id, held)
    return { kind: 'refused', limit: nanoUsd(budget.limit_nano), available: nanoUsd(max(available, 0n)) }
  }
  const amount = grantedAmount(request, available)
  await writeHeld(transaction, budget.id, held + amount)
  const own = leases.find((lease) => lease.node_id === request.nodeId && !expired.includes(lease))
  const lease = own === undefined ? newLease(request, amount) : raised(own, { amount, until: request.expiresAtMs })
  await writeLease(transaction, lease, own === undefined)
  const { id, budget_id: budgetId, granted_nano: granted, expires_at: expiresAt } = lease
  return { kind: 'granted', lease: { id, budgetId, granted: nanoUsd(granted), expiresAt } }
}

/** Not everything to whoever asks first, and not so little that they ask again at once. */
function grantedAmount({ need, want }: { need: NanoUsd; want: NanoUsd }, available: bigint): bigint {
  return min(want, max(need, available / 8n))
}

/** The budget under lock. Those that have an opening limit begin with their first grant. */
async function openedBudget(
  transaction: TablesTransaction,
  { budget }: GrantRequest,
): Promise<StoredBudget | undefined> {
  const found = await lockBudget(transaction, budget.id)
  if (found !== undefined || budget.openingLimit === null) return found
  const limit = await limitOfKey(transaction, budget.subjectId)
  await transaction
    .insertInto('budgets')
    .values({ ...newBudgetRow(budget), limit_nano: limit ?? budget.openingLimit })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return lockBudget(transaction, budget.id)
}

/**
 * The node may remember a limit that was changed a moment ago, so the key itself is asked. Its row is locked: either its
 * update comes first and is seen here, or it finds the new budget and moves its limit.
 */
async function limitOfKey(transaction: TablesTransaction, keyId: string): Promise<bigint | null> {
  const key = await transaction
    .selectFrom('api_keys')
    .select('quota_limit_nano')
    .where('id', '=', keyId)
    .forUpdate()
    .executeTakeFirst()
  return key?.quota_limit_nano ?? null
}

function leasesOf(transaction: TablesTransaction, budgetId: string): Promise<StoredLease[]> {
  return transaction
    .selectFrom('leases')
    .selectAll()
    .where('budget_id', '=', budgetId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

function newLease(request: GrantRequest, amount: bigint): StoredLease {
  return {
    id: request.newLeaseId,
    budget_id: request.budget.id,
    node_id: request.nodeId,
    granted_nano: amount,
    charged_nano: 0n,
    expires_at: request.expiresAtMs,
  }
}

/** What was charged beyond the grant is not held any more, so the new amount comes on top of it. */
function raised(lease: StoredLease, { amount, until }: { amount: bigint; until: number }): StoredLease {
  return {
    ...lease,
    granted_nano: max(lease.granted_nano, lease.charged_nano) + amount,
    expires_at: Math.max(lease.expires_at, until),
  }
}

async function writeLease(transaction: TablesTransaction, lease: StoredLease, isNew: boolean): Promise<void> {
  const { id, granted_nano, expires_at } = lease
  if (isNew) await transaction.insertInto('leases').values(lease).execute()
  else await transaction.updateTable('leases').set({ granted_nano, expires_at }).where('id', '=', id).execute()
}

async function renewIn(
  transaction: TablesTransaction,
  { nodeId, ids, expiresAtMs }: { nodeId: string; ids: readonly string[]; expiresAtMs: number },
): Promise<string[]> {
  const active = await transaction
    .selectFrom('leases')
    .select('id')
    .where('id', 'in', ids)
    .where('node_id', '=', nodeId)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (active.length === 0) return []
  const activeIds = active.map((lease) => lease.id)
  await transaction.updateTable('leases').set({ expires_at: expiresAtMs }).where('id', 'in', activeIds).execute()
  return activeIds
}

/** Which leases to close: all that fit everything that is said. */
interface ClosingChoice {
  readonly nodeId?: string
  readonly ids?: readonly string[]
  readonly expiredAtMs?: number
}

/** Closes up to one portion. `found`: so many there seemed to be; `gone`: so many were still there under lock. */
async function closeIn(transaction: TablesTransaction, which: ClosingChoice): Promise<{ found: number; gone: number }> {
  const found = await chosen(transaction, which).limit(PORTION).execute()
  if (found.length === 0) return { found: 0, gone: 0 }
  const budgetIds = [...new Set(found.map((lease) => lease.budget_id))]
  const budgets = await transaction
    .selectFrom('budgets')
    .select(['id', 'held_nano'])
    .where('id', 'in', budgetIds)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = found.map((lease) => lease.id)
  const leases = await chosen(transaction, { ...which, ids })
    .forUpdate()
    .execute()
  await deleteLeases(transaction, leases)
  for (const budget of budgets) {
    const freed = sumHeld(leases.filter((lease) => lease.budget_id === budget.id))
    if (freed > 0n) await writeHeld(transaction, budget.id, budget.held_nano - freed)
  }
  return { found: found.length, gone: leases.length }
}

function chosen(transaction: TablesTransaction, { nodeId, ids, expiredAtMs }: ClosingChoice) {
  let query = transaction.selectFrom('leases').selectAll().orderBy('id')
  if (nodeId !== undefined) query = query.where('node_id', '=', nodeId)
  if (ids !== undefined) query = query.where('id', 'in', ids)
  if (expiredAtMs !== undefined) query = query.where('expires_at', '<=', expiredAtMs)
  return query
}

async function deleteLeases(transaction: TablesTransaction, leases: readonly StoredLease[]): Promise<void> {
  if (leases.length === 0) return
  const ids = leases.map((lease) => lease.id)
  await transaction.deleteFrom('leases').where('id', 'in', ids).execute()
}

async function writeHeld(transaction: TablesTransaction, budgetId: string, held: bigint): Promise<void> {
  await transaction.updateTable('budgets').set({ held_nano: held }).where('id', '=', budgetId).execute()
}

function sumHeld(leases: readonly StoredLease[]): bigint {
  return leases.reduce((sum, lease) => sum + heldBy(lease.granted_nano, lease.charged_nano), 0n)
}

function portions(ids: readonly string[]): readonly string[][] {
  const count = Math.ceil(ids.length / PORTION)
  return Array.from({ length: count }, (_, index) => ids.slice(index * PORTION, (index + 1) * PORTION))
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
