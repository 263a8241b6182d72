import type { Evidence } from './evidence.ts'
import type { LoadKey } from './orders.ts'
import { isCovered, servingGroup } from './serving-group.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

/** Who pays: a subscription that covers the group while it can, then the balance. All amounts are nano-USD. */
export function auditFunding(evidence: Evidence): string[] {
  const { books, keys } = evidence
  const byKey = new Map(keys.map((key) => [key.id, key]))
  const accounts = new Set(keys.filter(({ limits }) => limits?.subscription !== undefined).map((key) => key.accountId))
  return [
    ...books.records.flatMap((record) => [...auditPayers(record, byKey.get(record.key_id), evidence)]),
    ...[...accounts].flatMap((accountId) => [...auditWindows(accountId, evidence)]),
    ...[...accounts].flatMap((accountId) => [...auditOrder(accountId, evidence)]),
  ]
}

/** Who paid of one record, and that it adds up. */
function* auditPayers(record: WrittenRecord, key: LoadKey | undefined, evidence: Evidence): Generator<string, void> {
  const { books } = evidence
  const bySubscriptions = paymentsOf(record)
  const paid = bySubscriptions.reduce((sum, { amount }) => sum + amount, record.balance_paid_nano)
  if (paid !== record.cost_nano) yield `record ${record.id}: it costs ${record.cost_nano}, and ${paid} is paid`
  if (record.balance_paid_nano < 0n) yield `record ${record.id}: its balance paid ${record.balance_paid_nano}`
  for (const { id, amount } of bySubscriptions) {
    const subscription = books.subscriptions.find((one) => one.id === id)
    if (amount <= 0n) yield `record ${record.id}: a subscription paid ${amount}`
    if (subscription?.account_id !== record.account_id) yield `record ${record.id}: a subscription of another paid`
    if (!isOfPlan(record, key, evidence)) yield `record ${record.id}: its group is covered by no subscription`
  }
}

/** Whether the group that served it is covered by the subscription of its account. */
function isOfPlan(record: WrittenRecord, key: LoadKey | undefined, { served }: Evidence): boolean {
  return key !== undefined && isCovered(key, servingGroup(key, record, served.requests[record.id]))
}

/** What a subscription paid stands in each of its windows. */
function* auditWindows(accountId: string, { books, keys }: Evidence): Generator<string, void> {
  const quotas = keys.find((key) => key.accountId === accountId && key.limits?.subscription)?.limits?.subscription ?? []
  for (const { id } of books.subscriptions.filter(({ account_id }) => account_id === accountId)) {
    const paid = books.records
      .flatMap((record) => paymentsOf(record))
      .filter((payment) => payment.id === id)
      .reduce((sum, { amount }) => sum + amount, 0n)
    for (const { window, usd } of quotas) {
      const rows = books.budgets.filter((budget) => budget.id.startsWith(`sub:${id}:${window}:`))
      const used = rows.reduce((sum, { used_nano }) => sum + used_nano, 0n)
      if (used !== paid) yield `subscription ${id}: it paid ${paid}, its windows of ${window} say ${used}`
      if (rows.some(({ limit_nano }) => limit_nano !== usd)) yield `subscription ${id}: a window has another limit`
    }
  }
}

/**
 * The balance stands in only when a window had not enough left for one more step beside those that were running. A whole
 * answer may hold all that its model can write, which is more than any window has: of a target that was not yet seen to keep
 * to a limit.
 */
function* auditOrder(accountId: string, evidence: Evidence): Generator<string, void> {
  const { books, keys, sightings } = evidence
  const covered = keys.filter((key) => key.accountId === accountId && key.limits?.subscription !== undefined)
  const coveredKey = (keyId: string) => covered.find(({ id }) => id === keyId)
  const ofPlan = sightings.filter(({ order }) => coveredKey(order.key.id) !== undefined)
  const stoodIn = books.records.filter((record) => {
    if (record.balance_paid_nano === 0n || !isOfPlan(record, coveredKey(record.key_id), evidence)) return false
    const seen = ofPlan.find(({ order }) => order.tag === record.client)
    return seen === undefined || !ofPlan.some((other) => other !== seen && isWholeBeside(seen, other))
  })
  if (stoodIn.length === 0) return
  const ids = books.subscriptions.filter(({ account_id }) => account_id === accountId).map(({ id }) => `sub:${id}:`)
  const rows = books.budgets.filter((budget) => ids.some((id) => budget.id.startsWith(id)))
  const least = rows.map(({ limit_nano, used_nano }) => limit_nano - used_nano).reduce((a, b) => (a < b ? a : b), MUCH)
  if (least > LEFT_AT_MOST) {
    yield `account ${accountId}: its balance paid for ${stoodIn.length} requests, and no window of its subscription has less than ${least} left`
  }
}

const MUCH = 1_000_000_000_000n
/** Two requests at a time, each with at most the hold of an answer that is streamed: 8,192 tokens. */
const LEFT_AT_MOST = 2n * 90_000_000n

/** A whole answer that the gateway may still have been busy with. */
function isWholeBeside(seen: Sighting, { order, beganAt, endedAt, hungUp }: Sighting): boolean {
  return !order.form.isStream && beganAt <= seen.endedAt && seen.beganAt <= endedAt + (hungUp ? DRAIN_MS : SETTLED_MS)
}

/** So long the gateway reads on when a client has left. */
const DRAIN_MS = 30_000
/** What a request held is free when it is written down, some time after its client has the answer. */
const SETTLED_MS = 2_000

function paymentsOf({
  subscriptions_paid_json: json,
}: WrittenRecord): { readonly id: string; readonly amount: bigint }[] {
  if (json === null) return []
  const pairs = JSON.parse(json) as [string, string][]
  return pairs.map(([id, amount]) => ({ id, amount: BigInt(amount) }))
}
