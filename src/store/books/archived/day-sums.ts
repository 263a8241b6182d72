import { sql } from 'kysely'
import { totalInput, totalOutput } from '../../../core/tokens.ts'
import type { ArchivedKind } from '../../../metering/usage/retention.ts'
import type { TablesTransaction } from '../../engine/database.ts'
import { DAY_FIGURES, type DayFigure } from '../../schema/archive-tables.ts'
import type { ProvenRecord } from '../reading.ts'
import { dayOf } from '../roll-ups.ts'
import { otherChargesOf, pricedTokensOf } from '../usage-rows.ts'

/** Sums over records, in the order of `DAY_FIGURES`. */
export type DaySums = bigint[]

/** What one record adds to the sums of its day: what the roll-ups count of it, and what it charged. */
export function daySumsOf(row: ProvenRecord): DaySums {
  const isCounted = row.outcome !== 'interrupted'
  const { tokens } = pricedTokensOf(row)
  const one = (isOne: boolean) => (isOne ? 1n : 0n)
  const isCosted = row.provider_cost_nano !== null
  const costs = [
    one(isCounted),
    one(isCounted && row.fault !== null),
    isCounted ? row.cost_nano : 0n,
    isCounted ? (row.provider_cost_nano ?? 0n) : 0n,
    isCounted && isCosted ? row.cost_nano : 0n,
  ] as const
  const [requests, failed, cost, providerCost, costed] = costs
  const ofCredential = row.credential_name === null ? costs.map(() => 0n) : costs
  return [
    1n,
    requests,
    failed,
    isCounted ? BigInt(totalInput(tokens) ?? 0) : 0n,
    isCounted ? BigInt(tokens.cacheRead ?? 0) : 0n,
    isCounted ? BigInt(totalOutput(tokens) ?? 0) : 0n,
    cost,
    row.balance_paid_nano,
    otherChargesOf(row).reduce((sum, charge) => sum + charge.cost, 0n),
    providerCost,
    costed,
    ...ofCredential,
  ]
}

/** Whether a record is nothing but a count: it consumed, cost and charged nothing. */
export function isBareRefusal(row: ProvenRecord): boolean {
  const counted: readonly DayFigure[] = ['records', 'requests', 'failed', 'credential_requests', 'credential_failed']
  return daySumsOf(row).every((sum, at) => sum === 0n || counted.includes(DAY_FIGURES[at] ?? 'cost_nano'))
}

/** What records that go were, all together. */
export interface GoneSums {
  readonly days: Map<number, DaySums>
  /** What they charged, by budget. */
  readonly charged: Map<string, bigint>
}

export function noSums(): GoneSums {
  return { days: new Map(), charged: new Map() }
}

export function addSums({ days, charged }: GoneSums, rows: readonly ProvenRecord[]): void {
  for (const row of rows) {
    const day = dayOf(row.created_at)
    const sums = daySumsOf(row)
    const known = days.get(day)
    days.set(day, known === undefined ? sums : known.map((sum, at) => sum + (sums[at] ?? 0n)))
    for (const { budgetId, cost } of otherChargesOf(row)) charged.set(budgetId, (charged.get(budgetId) ?? 0n) + cost)
  }
}

/** Adds the sums of records that go to those of their days, and what they charged to their budgets. */
export async function keepSums(
  transaction: TablesTransaction,
  kind: ArchivedKind,
  { days, charged }: GoneSums,
): Promise<void> {
  for (const [day, sums] of [...days].sort(([a], [b]) => a - b)) await addDay(transaction, { day, kind, sums })
  const budgets = [...charged].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < budgets.length; at += BUDGETS_AT_ONCE) {
    const portion = budgets.slice(at, at + BUDGETS_AT_ONCE)
    const ids = portion.map(([id]) => id)
    // In the order of their ids, as everywhere.
    await transaction.selectFrom('budgets').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
    const values = portion.map(([id, amount]) => sql`(${id}, cast(${amount} as bigint))`)
    await sql`with charged (budget_id, amount) as (values ${sql.join(values)})
      update budgets set retired_nano = retired_nano + (select amount from charged where budget_id = id)
      where id in (select budget_id from charged)`.execute(transaction)
  }
}

/** A statement takes a bounded number of values. */
const BUDGETS_AT_ONCE = 500

async function addDay(
  transaction: TablesTransaction,
  { day, kind, sums }: { readonly day: number; readonly kind: ArchivedKind; readonly sums: DaySums },
): Promise<void> {
  const names = sql.join(DAY_FIGURES.map((name) => sql.ref(name)))
  const added = DAY_FIGURES.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`retired_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  await sql`insert into retired_days (day_at, kind, ${names}) values (${day}, ${kind}, ${sql.join(sums)})
    on conflict (day_at, kind) do update set ${sql.join(added)}`.execute(transaction)
}
