import type { Selectable } from 'kysely'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type {
  Budget,
  GrantAnswer,
  GrantRequest,
  LeasedRow,
  LeaseStore,
  ShrinkWish,
} from '../../metering/budgets/budget.ts'
import { type Database, SqlStore, type TablesTransaction } from '../engine/database.ts'
import type { LeaseRow } from '../schema/tables.ts'
import { alertOfRefusal } from './alert-writes.ts'
import { availableIn, type StoredBudget } from './budget-rows.ts'
import { heldBy } from './charging.ts'
import { rowToGrantFrom } from './grant-rows.ts'

type LeaseInBooks = Selectable<LeaseRow>

/** Ids in one statement, and leases closed in one transaction. */
const PORTION = 500

/** Locks what a limit comes from, then budgets, then leases, the latter two in the order of their ids, as the settle does. */
export class SqlLeaseStore extends SqlStore implements LeaseStore {
  readonly #lowBalance: NanoUsd | null

  /** `lowBalance`: null for no alerts on balances. */
  constructor(database: Database, lowBalance: NanoUsd | null) {
    super(database)
    this.#lowBalance = lowBalance
  }

  grant(request: GrantRequest): Promise<GrantAnswer> {
    return this.database.transaction((transaction) => grantIn(transaction, request, this.#lowBalance))
  }

  async active(nodeId: string, leaseIds: readonly string[]): Promise<ReadonlyMap<string, LeasedRow>> {
    const active = new Map<string, LeasedRow>()
    for (const ids of portions(leaseIds)) {
      const rows = await this.database.kysely
        .selectFrom('leases')
        .innerJoin('budgets', 'budgets.id', 'leases.budget_id')
        .select(['leases.id', 'leases.charged_nano', 'budgets.ends_at', 'budgets.used_nano'])
        .where('leases.id', 'in', ids)
        .where('leases.node_id', '=', nodeId)
        .execute()
      for (const row of rows) active.set(row.id, standingOf(row, row))
    }
    return active
  }

  async shrink(nodeId: string, wishes: readonly ShrinkWish[]): Promise<ReadonlyMap<string, NanoUsd>> {
    const granted = new Map<string, NanoUsd>()
    const byId = new Map(wishes.map((wish) => [wish.leaseId, wish]))
    for (const ids of portions([...byId.keys()])) {
      const there = await this.database.transaction((transaction) => shrinkIn(transaction, { nodeId, ids, byId }))
      for (const [id, amount] of there) granted.set(id, amount)
    }
    return granted
  }

  async close(nodeId: string, leaseIds: readonly string[]): Promise<void> {
    for (const ids of portions(leaseIds)) await this.#closeSome({ nodeId, ids })
  }

  async closeOfNodes(nodeIds: readonly string[]): Promise<number> {
    let closed = 0
    for (const nodeId of nodeIds) closed += await this.#closeAll(nodeId)
    return closed
  }

  async #closeAll(nodeId: string): Promise<number> {
    let closed = 0
    for (;;) {
      const { found, gone } = await this.#closeSome({ nodeId })
      closed += gone
      // None of a whole portion was there any more: another node is closing them.
      if (found < PORTION || gone === 0) return closed
    }
  }

  #closeSome(which: ClosingChoice): Promise<{ found: number; gone: number }> {
    return this.database.transaction((transaction) => closeIn(transaction, which))
  }
}

async function grantIn(
  transaction: TablesTransaction,
  request: GrantRequest,
  low: NanoUsd | null,
): Promise<GrantAnswer> {
  const row = await rowToGrantFrom(transaction, request)
  if (row === undefined) return nothingToGrant(request.budget)
  const available = availableIn(row)
  if (available < request.need) {
    const { forRequest, nowMs } = request
    if (forRequest !== null) await alertOfRefusal(transaction, row, { need: forRequest, low, nowMs })
    return {
      kind: 'refused',
      limit: nanoUsd(row.limit_nano),
      available: nanoUsd(max(available, 0n)),
      used: nanoUsd(row.used_nano),
      endsAt: row.ends_at,
    }
  }
  const amount = grantedAmount(request, available)
  await writeHeld(transaction, row.id, row.held_nano + amount)
  const lease = await writeLease(transaction, { request, rowId: row.id, amount })
  const { id, budget_id: budgetId, granted_nano } = lease
  return { kind: 'granted', lease: { id, budgetId, granted: nanoUsd(granted_nano) }, ...standingOf(row, lease) }
}

function standingOf(
  { used_nano, ends_at }: Pick<StoredBudget, 'used_nano' | 'ends_at'>,
  { charged_nano }: Pick<LeaseInBooks, 'charged_nano'>,
): LeasedRow {
  return { endsAt: ends_at, usedElsewhere: nanoUsd(used_nano - charged_nano) }
}

function nothingToGrant({ openingLimit, endsAt }: Budget): GrantAnswer {
  const nothing = ZERO_NANO_USD
  return { kind: 'refused', limit: openingLimit ?? nothing, available: nothing, used: nothing, endsAt }
}

/** Not everything to the first that asks, and not so little that it asks again at once. */
function grantedAmount({ need, want }: { need: NanoUsd; want: NanoUsd }, available: bigint): bigint {
  return min(want, max(need, available / 8n))
}

/** Raises the node's lease on that row, or opens one. */
async function writeLease(
  transaction: TablesTransaction,
  { request, rowId, amount }: { request: GrantRequest; rowId: string; amount: bigint },
): Promise<LeaseInBooks> {
  const own = await transaction
    .selectFrom('leases')
    .selectAll()
    .where('budget_id', '=', rowId)
    .where('node_id', '=', request.nodeId)
    .forUpdate()
    .executeTakeFirst()
  if (own === undefined) {
    const lease = {
      id: request.newLeaseId,
      budget_id: rowId,
      node_id: request.nodeId,
      granted_nano: amount,
      charged_nano: 0n,
    }
    await transaction.insertInto('leases').values(lease).execute()
    return lease
  }
  // What was charged beyond the grant is not held any more, so the new amount comes on top of it.
  const granted_nano = max(own.granted_nano, own.charged_nano) + amount
  await transaction.updateTable('leases').set({ granted_nano }).where('id', '=', own.id).execute()
  return { ...own, granted_nano }
}

/** The choice of leases to close: those of the node, or as many of them as are named. */
interface ClosingChoice {
  readonly nodeId: string
  readonly ids?: readonly string[]
}

/** Closes up to one portion. `found`: so many there seemed to be; `gone`: so many were still there under lock. */
async function closeIn(transaction: TablesTransaction, which: ClosingChoice): Promise<{ found: number; gone: number }> {
  const { found, budgets, leases } = await lockChosen(transaction, which)
  await deleteLeases(transaction, leases)
  for (const budget of budgets) {
    const freed = sumHeld(leases.filter((lease) => lease.budget_id === budget.id))
    if (freed > 0n) await writeHeld(transaction, budget.id, budget.held_nano - freed)
  }
  return { found, gone: leases.length }
}

/** A wish whose answer was lost may come after a grant that the node learned of: then it finds another amount, and does nothing. */
async function shrinkIn(
  transaction: TablesTransaction,
  { byId, ...which }: ClosingChoice & { readonly byId: ReadonlyMap<string, ShrinkWish> },
): Promise<ReadonlyMap<string, NanoUsd>> {
  const { budgets, leases } = await lockChosen(transaction, which)
  const held = new Map(budgets.map((budget) => [budget.id, budget.held_nano]))
  const granted = new Map<string, NanoUsd>()
  for (const { id, budget_id, granted_nano, charged_nano } of leases) {
    const wish = byId.get(id)
    const lower = wish?.from === granted_nano ? min(granted_nano, max(wish.to, charged_nano)) : granted_nano
    granted.set(id, nanoUsd(lower))
    if (lower === granted_nano) continue
    const freed = heldBy(granted_nano, charged_nano) - heldBy(lower, charged_nano)
    held.set(budget_id, (held.get(budget_id) ?? 0n) - freed)
    await transaction.updateTable('leases').set({ granted_nano: lower }).where('id', '=', id).execute()
  }
  for (const { id, held_nano } of budgets) {
    const left = held.get(id) ?? held_nano
    if (left !== held_nano) await writeHeld(transaction, id, left)
  }
  return granted
}

/** Up to one portion of leases with the rows that they are slices of, all locked. `found`: so many there seemed to be before. */
async function lockChosen(transaction: TablesTransaction, which: ClosingChoice) {
  const found = await chosen(transaction, which).limit(PORTION).execute()
  if (found.length === 0) return { found: 0, budgets: [], leases: [] }
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
  return { found: found.length, budgets, leases }
}

/**
 * Closes all leases of one row, of any node; nothing of it is held then. The row must be locked. Nodes that spend from
 * such a lease go on until they hear of it; what they have running is charged to the row itself, as an overrun.
 */
export async function closeLeasesOf(transaction: TablesTransaction, rowId: string): Promise<void> {
  await transaction.selectFrom('leases').select('id').where('budget_id', '=', rowId).orderBy('id').forUpdate().execute()
  await transaction.deleteFrom('leases').where('budget_id', '=', rowId).execute()
  await writeHeld(transaction, rowId, 0n)
}

function chosen(transaction: TablesTransaction, { nodeId, ids }: ClosingChoice) {
  const query = transaction.selectFrom('leases').selectAll().where('node_id', '=', nodeId).orderBy('id')
  return ids === undefined ? query : query.where('id', 'in', ids)
}

async function deleteLeases(transaction: TablesTransaction, leases: readonly LeaseInBooks[]): Promise<void> {
  if (leases.length === 0) return
  const ids = leases.map((lease) => lease.id)
  await transaction.deleteFrom('leases').where('id', 'in', ids).execute()
}

async function writeHeld(transaction: TablesTransaction, budgetId: string, held: bigint): Promise<void> {
  await transaction.updateTable('budgets').set({ held_nano: held }).where('id', '=', budgetId).execute()
}

function sumHeld(leases: readonly LeaseInBooks[]): bigint {
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
