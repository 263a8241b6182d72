import type { Selectable } from 'kysely'
import { invariant } from '../../core/invariant.ts'
import { CREDITS_LIMIT_NANO_USD } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import type { LedgerEntry, LedgerPosting, LedgerStore, PostAnswer } from '../../metering/funds/ledger.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { lockRow, readRow } from '../engine/rows-by-id.ts'
import { changing } from '../engine/changes.ts'
import type { LedgerRow } from '../schema/tables.ts'
import { alertOfPosting } from './alert-writes.ts'
import { availableIn, movedLimit, type StoredBudget } from './budget-rows.ts'
import { readLedgerPage } from './ledger-page.ts'
import { proveBooks } from './proof.ts'

/** A balance that an entry takes below `low` gives an alert; null: never. */
export function ledgerOn(database: Database, low: NanoUsd | null): LedgerStore {
  const { kysely } = database
  return {
    post: (entry) =>
      changing(database, async (transaction, record) => {
        const answer = await postIn(transaction, entry, low)
        if (answer.kind !== 'posted') return answer
        const seq = entry.amount > 0n ? (await record('funds', entry.accountId)).seq : null
        return { ...answer, seq }
      }),
    balance: async (accountId) => {
      const budget = await readRow(kysely, 'budgets', balanceBudget(accountId).id)
      return budget === undefined ? ZERO_NANO_USD : nanoUsd(budget.limit_nano - budget.used_nano)
    },
    entries: async (accountId, limit) => {
      const rows = await kysely
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      return rows.map(entryOf)
    },
    page: async (filter, page) => {
      const { rows, next } = await readLedgerPage(database, filter, page)
      return { entries: rows.map(entryOf), next }
    },
    prove: ({ archive = null, onProgress = null } = {}) =>
      database.snapshot((transaction) =>
        proveBooks(transaction, { hasJournal: database.kind === 'sqlite', archive, onProgress }),
      ),
  }
}

/** Posts as part of a transaction that does more than that, and records the change. `low`: as above; what only adds needs none. */
export async function postIn(
  transaction: TablesTransaction,
  posting: LedgerPosting,
  low: NanoUsd | null = null,
): Promise<PostedIn> {
  invariant(posting.kind !== 'usage', 'usage is entered by the settle, together with its record')
  const budget = await lockRow(transaction, 'budgets', balanceBudget(posting.accountId).id)
  if (budget === undefined) return { kind: 'unknown_account' }
  if (await isPosted(transaction, posting)) return { kind: 'already_posted' }
  const available = availableIn(budget)
  const isElsewhere = posting.kind === 'import'
  if (!isElsewhere && posting.amount < 0n && available + posting.amount < 0n) {
    return { kind: 'insufficient', available: nanoUsd(available > 0n ? available : 0n) }
  }
  if (budget.limit_nano + posting.amount > CREDITS_LIMIT_NANO_USD) return { kind: 'too_large' }
  const row = await writeEntry(transaction, { posting, budget })
  if (posting.amount < 0n) {
    const after = { ...budget, limit_nano: budget.limit_nano + posting.amount, entries: row.seq }
    await alertOfPosting(transaction, after, { change: posting.amount, low, nowMs: posting.createdAt })
  }
  return { kind: 'posted', entry: entryOf(row) }
}

type PostedIn = Exclude<PostAnswer, { kind: 'posted' }> | { readonly kind: 'posted'; readonly entry: LedgerEntry }

/** The balance is locked, so no other process posts the same between this look and the entry. */
async function isPosted(transaction: TablesTransaction, posting: LedgerPosting): Promise<boolean> {
  const { accountId } = posting
  const once = onceOf(posting)
  if (once === null) return false
  const found = await transaction
    .selectFrom('ledger_entries')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('once', '=', once)
    .executeTakeFirst()
  return found !== undefined
}

async function writeEntry(
  transaction: TablesTransaction,
  { posting, budget }: { posting: LedgerPosting; budget: StoredBudget },
): Promise<Selectable<LedgerRow>> {
  const limit = budget.limit_nano + posting.amount
  const row: Selectable<LedgerRow> = {
    account_id: posting.accountId,
    seq: budget.entries + 1,
    id: posting.id,
    created_at: posting.createdAt,
    kind: posting.kind,
    amount_nano: posting.amount,
    balance_after_nano: limit - budget.used_nano,
    request_id: null,
    reason: posting.reason,
    actor: posting.actor,
    once: onceOf(posting),
  }
  await transaction.insertInto('ledger_entries').values(row).execute()
  await transaction
    .updateTable('budgets')
    .set({ ...movedLimit(budget, limit), entries: row.seq })
    .where('id', '=', budget.id)
    .execute()
  return row
}

function entryOf(row: Selectable<LedgerRow>): LedgerEntry {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAt: row.created_at,
    kind: row.kind,
    amount: nanoUsd(row.amount_nano),
    balanceAfter: nanoUsd(row.balance_after_nano),
    requestId: row.request_id,
    reason: row.reason,
    actor: row.actor,
    reference: row.once?.startsWith(REFERENCE) === true ? row.once.slice(REFERENCE.length) : null,
  }
}

const REFERENCE = 'reference:'

/** What the unique index of an account's entries holds: no name that the gateway gives begins as a reference does. */
function onceOf({ reference, once }: LedgerPosting): string | null {
  return reference === undefined ? (once ?? null) : `${REFERENCE}${reference}`
}
