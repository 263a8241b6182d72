import type { Evidence } from './evidence.ts'
import type { WrittenEntry, WrittenRecord } from './written-books.ts'

/**
 * Compares the sums: cost of the records, entries of the ledger, balances, quotas, and that at rest nothing is held.
 * Returns a sentence for each disagreement; all amounts are nano-USD.
 */
export function auditMoney(evidence: Evidence): string[] {
  const { books, granted } = evidence
  return [
    ...[...granted.keys()].flatMap((accountId) => [...auditAccount(accountId, evidence)]),
    ...auditEntries(books.records, books.entries),
    ...books.budgets
      .filter(({ held_nano }) => held_nano !== 0n)
      .map(({ id }) => `budget ${id}: something is still held`),
    ...books.leases.map(({ id, budget_id }) => `lease ${id} of ${budget_id} is still there`),
    ...books.openRequests.map(({ id }) => `request ${id} is still noted as running`),
    ...evidence.keys.flatMap((key) => [...auditQuota(key, evidence)]),
  ]
}

function* auditAccount(accountId: string, { books, granted }: Evidence): Generator<string, void> {
  const given = granted.get(accountId) ?? 0n
  const spent = sum(
    books.records.filter((record) => record.account_id === accountId).map((one) => one.balance_paid_nano),
  )
  const entries = books.entries.filter((entry) => entry.account_id === accountId)
  const used = -sum(entries.filter(({ kind }) => kind === 'usage').map(({ amount_nano }) => amount_nano))
  const added = sum(entries.filter(({ kind }) => kind !== 'usage').map(({ amount_nano }) => amount_nano))
  const budget = books.budgets.find(({ kind, subject_id }) => kind === 'balance' && subject_id === accountId)
  if (used !== spent) yield `account ${accountId}: its balance paid ${spent} by its records, its entries say ${used}`
  if (added !== given) yield `account ${accountId}: it was given ${given}, its entries say ${added}`
  if (budget?.limit_nano !== given || budget.used_nano !== spent) {
    yield `account ${accountId}: it was given ${given} and spent ${spent}, its balance says ${budget?.limit_nano} and ${budget?.used_nano}`
  }
  let balance = 0n
  for (const [index, entry] of entries.entries()) {
    balance += entry.amount_nano
    if (entry.seq !== BigInt(index + 1)) yield `account ${accountId}: entry ${entry.seq} stands at place ${index + 1}`
    if (entry.balance_after_nano !== balance) {
      yield `account ${accountId}: entry ${entry.seq} says ${entry.balance_after_nano}, and ${balance} is right`
    }
  }
  if (balance !== given - spent) yield `account ${accountId}: its balance is ${balance}, not ${given - spent}`
}

/** One entry for each record that its balance paid something of, and no other. */
function* auditEntries(records: readonly WrittenRecord[], entries: readonly WrittenEntry[]): Generator<string, void> {
  const usage = entries.filter(({ kind }) => kind === 'usage')
  const byRequest = Map.groupBy(usage, ({ request_id }) => request_id ?? '')
  for (const { id, balance_paid_nano, account_id } of records) {
    const own = byRequest.get(id) ?? []
    byRequest.delete(id)
    const amounts = own.map((entry) => `${entry.amount_nano} of ${entry.account_id}`).join(' and ')
    const due = balance_paid_nano === 0n ? '' : `${-balance_paid_nano} of ${account_id}`
    if (amounts !== due) yield `record ${id}: its entries are "${amounts}", not "${due}"`
  }
  for (const id of byRequest.keys()) yield `an entry is of ${id}, which has no record`
}

function* auditQuota(key: Evidence['keys'][number], { books }: Evidence): Generator<string, void> {
  const spent = sum(books.records.filter((record) => record.key_id === key.id).map((record) => record.cost_nano))
  const ofKey = books.budgets.filter(({ kind, subject_id }) => kind === 'key_quota' && subject_id === key.id)
  const used = sum(ofKey.map(({ used_nano }) => used_nano))
  for (const { window, usd } of key.limits?.spend ?? []) {
    const rows = books.budgets.filter(({ id }) => id.startsWith(`spend:${key.id}:${window}:`))
    const inWindows = sum(rows.map(({ used_nano }) => used_nano))
    if (inWindows !== spent) yield `key ${key.id}: it spent ${spent}, its windows of ${window} say ${inWindows}`
    if (rows.some(({ limit_nano }) => limit_nano !== usd))
      yield `key ${key.id}: a window of ${window} has another limit`
  }
  if (used !== (key.quota === null ? 0n : spent)) yield `key ${key.id}: it spent ${spent}, its quota says ${used}`
  for (const { id, limit_nano } of ofKey) {
    if (limit_nano !== key.quota) yield `budget ${id}: its limit is ${limit_nano}, not ${key.quota}`
  }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
