import { expect } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import type { ExploredBy, ExploreQuery } from '../../src/metering/usage/explore.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import type { Store } from '../../src/store/store.ts'
import { aSettlement, NOON } from './store-fixtures.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** What is asked for: everything that sums are kept for, of all accounts. */
export const QUESTIONS: readonly (readonly [by: readonly ExploredBy[], narrow: readonly ExploredBy[]])[] = [
  [['account'], []],
  [['account', 'model'], []],
  [['account', 'group'], []],
  [['account'], ['model']],
  [['account', 'model'], ['group']],
  [['model'], ['account']],
  [
    ['group', 'model'],
    ['account', 'group'],
  ],
  [['model'], []],
  [['fault', 'model'], ['group']],
  [['upstream'], ['fault']],
  [['fault'], ['account']],
  [
    ['model', 'fault'],
    ['account', 'group'],
  ],
]

export const A_RECORD = { hoursAgo: 1, account: 0, model: 0, group: 0, cost: 1, hasFailed: false, isInterrupted: false }

/** A store, and all that was settled in it. */
export class Books {
  readonly #store: Store
  readonly #accounts: readonly string[]
  readonly #records = new Map<string, UsageRecord>()

  constructor(store: Store, accounts: readonly string[]) {
    this.#store = store
    this.#accounts = accounts
  }

  async settle(records: readonly (typeof A_RECORD)[]): Promise<void> {
    const settlements = records.map((each) => {
      const createdAt = NOON - each.hoursAgo * HOUR_MS - 1_000
      const outcome = each.isInterrupted
        ? ({ outcome: 'interrupted', fault: null } as const)
        : each.hasFailed
          ? ({ outcome: 'failed', fault: 'upstream_overloaded' } as const)
          : ({ outcome: 'completed', fault: null } as const)
      return aSettlement(this.#accounts[each.account] ?? '', each.isInterrupted ? 0n : BigInt(each.cost), {
        record: {
          id: newId('req', createdAt),
          createdAt,
          model: `model-${each.model}`,
          groupId: `group-${each.group}`,
          groupName: `group-${each.group}`,
          upstreamName: `upstream-${each.model}`,
          tokens: { ...NO_TOKENS, input: each.cost, output: 2 * each.cost },
          ...outcome,
        },
      })
    })
    await this.#store.settlements.settle(settlements)
    for (const { record } of settlements) this.#records.set(record.id, record)
  }

  /** What was interrupted becomes known. */
  async makeKnown(): Promise<void> {
    for (const record of [...this.#records.values()].filter(({ outcome }) => outcome === 'interrupted').slice(0, 2)) {
      const [settlement] = [
        aSettlement(record.accountId, 9n, { record: { ...record, outcome: 'completed', cost: nanoUsd(9n) } }),
      ]
      await this.#store.settlements.settle([settlement])
      this.#records.set(record.id, settlement.record)
    }
  }

  async compare({ question, hoursAgo, hours, of }: { question: number; hoursAgo: number; hours: number; of: number }) {
    const [by, narrow] = QUESTIONS[question] ?? [['account'], []]
    const toMs = NOON - hoursAgo * HOUR_MS
    const values: Record<string, string> = {
      account: this.#accounts[of] ?? '',
      model: `model-${of}`,
      group: `group-${of}`,
      fault: 'upstream_overloaded',
    }
    const where = Object.fromEntries(narrow.map((each) => [each, values[each]]))
    await this.compareFor({ by, where, fromMs: toMs - hours * HOUR_MS, toMs, newest: 1_000 })
  }

  /** The dearest 500 rows. */
  async compareFor(query: ExploreQuery): Promise<void> {
    const found = await this.#store.usage.explore(query)
    const expected = this.#sums(query, { hasTokens: found.total.tokens !== null })
    const rows = new Map(found.rows.map(({ ids, ...sums }) => [ids.join(' '), shown(sums)]))
    const dearest = [...expected.rows].toSorted(([, a], [, b]) => Number(BigInt(b[2] ?? 0) - BigInt(a[2] ?? 0)))
    expect({ rows: sorted(rows), total: shown(found.total) }, JSON.stringify(query)).toEqual({
      rows: sorted(new Map(dearest.slice(0, 500))),
      total: expected.total,
    })
  }

  #sums({ by, where, fromMs, toMs }: ExploreQuery, { hasTokens }: { readonly hasTokens: boolean }) {
    const rows = new Map<string, Shown>()
    const total: Shown = [...NOTHING]
    for (const record of this.#records.values()) {
      const parts: Partial<Record<ExploredBy, string>> = {
        account: record.accountId,
        model: record.model ?? '',
        group: record.groupId ?? '',
        upstream: record.upstreamName ?? '',
        fault: record.fault ?? '',
      }
      const passes = Object.entries(where).every(([each, value]) => parts[each as ExploredBy] === value)
      const isNow = record.createdAt >= fromMs && record.createdAt < toMs
      const isBefore = record.createdAt >= 2 * fromMs - toMs && record.createdAt < fromMs
      if (!passes || !(isNow || isBefore) || record.outcome === 'interrupted') continue
      const name = by.map((each) => parts[each]).join(' ')
      const row = rows.get(name) ?? [...NOTHING]
      rows.set(name, row)
      for (const sum of [row, total]) {
        const at = isNow ? 0 : 3
        sum[at] = Number(sum[at]) + 1
        sum[at + 1] = Number(sum[at + 1]) + (record.fault === null ? 0 : 1)
        sum[at + 2] = BigInt(sum[at + 2] ?? 0) + record.cost
        if (hasTokens && isNow) {
          sum[6] = Number(sum[6]) + (record.tokens.input ?? 0)
          sum[7] = Number(sum[7]) + (record.tokens.output ?? 0)
        }
      }
    }
    return { rows, total }
  }
}

type Shown = (number | bigint)[]

/** Requests, failures and cost, those of the time before, and tokens in and out where they are kept. */
const NOTHING: Readonly<Shown> = [0, 0, 0n, 0, 0, 0n, 0, 0]

function shown({
  requests,
  failed,
  charged,
  before,
  tokens,
}: Omit<Awaited<ReturnType<Store['usage']['explore']>>['total'], 'times'>): Shown {
  const past = [before?.requests ?? -1, before?.failed ?? -1, before?.charged ?? -1n]
  return [requests, failed, charged, ...past, tokens?.input ?? 0, tokens?.output ?? 0]
}

function sorted(rows: ReadonlyMap<string, Shown>) {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
