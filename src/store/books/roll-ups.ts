import { DAY_MS } from '../../core/durations.ts'
import type { SettlementValue } from '../engine/settlement-rows.ts'
import { type Figure, FIGURES, HOUR_FIGURES, type HourSum } from './usage-hours.ts'

/**
 * A table of sums over usage records, each row over those that agree in some columns. The settle adds to it in its own
 * transaction, so that charts of any past cost as little as those of today.
 */
export interface RollUp {
  readonly table:
    | 'usage_hours'
    | 'usage_account_hours'
    | 'usage_all_hours'
    | 'usage_days'
    | 'usage_upstream_hours'
    | 'usage_credential_days'
  /** The columns by which its rows are found, then what else they say. */
  readonly columns: readonly (readonly [name: string, type: 'text' | 'integer'])[]
  /** How many of them are the primary key. */
  readonly keys: number
  /** What it sums, in the order of its columns. */
  readonly figures: readonly Figure[]
  /** The first figures, which follow from all records, older ones too; left out: all of them. */
  readonly proven?: readonly Figure[]
  /** The row that counts these records, in the order of the columns; null: they are not counted here. */
  valuesOf(hour: HourSum, lane: number): readonly (string | number)[] | null
}

const GROUP_AND_MODEL = [
  ['group_id', 'text'],
  ['model', 'text'],
] as const

const COSTS: readonly Figure[] = ['requests', 'failed', 'cost_nano', 'provider_cost_nano', 'costed_nano']

/** Sums by upstream: all that is asked of what providers cost, how often each failed in which way, and how much input each read from its cache. */
export const UPSTREAM_HOURS: RollUp = {
  table: 'usage_upstream_hours',
  columns: [['hour_at', 'integer'], ['upstream', 'text'], ...GROUP_AND_MODEL, ['fault', 'text'], ['lane', 'integer']],
  keys: 6,
  figures: [...COSTS, 'kept_input_tokens', 'kept_cached_tokens', 'free_input_tokens', 'free_cached_tokens'],
  proven: COSTS,
  valuesOf: ({ hourAt, upstream, groupId, model, fault }, lane) => [hourAt, upstream, groupId, model, fault, lane],
}

/**
 * Sums by credential, of records that name one. By the day, and without groups and models: with 500 credentials there would
 * be too many rows.
 */
export const CREDENTIAL_DAYS: RollUp = {
  table: 'usage_credential_days',
  columns: [
    ['day_at', 'integer'],
    ['upstream', 'text'],
    ['credential', 'text'],
    ['fault', 'text'],
    ['lane', 'integer'],
  ],
  keys: 5,
  figures: COSTS,
  valuesOf: ({ hourAt, upstream, credential, fault }, lane) =>
    credential === '' ? null : [dayOf(hourAt), upstream, credential, fault, lane],
}

/** Sums by key, which most others are sums of. */
export const KEY_HOURS: RollUp = {
  table: 'usage_hours',
  columns: [['key_id', 'text'], ['hour_at', 'integer'], ...GROUP_AND_MODEL, ['account_id', 'text']],
  keys: 4,
  figures: HOUR_FIGURES,
  valuesOf: ({ keyId, hourAt, groupId, model, accountId }) => [keyId, hourAt, groupId, model, accountId],
}

/** All roll-ups, in the order in which they are written. */
export const ROLL_UPS: readonly RollUp[] = [
  KEY_HOURS,
  {
    table: 'usage_account_hours',
    columns: [['account_id', 'text'], ['hour_at', 'integer'], ...GROUP_AND_MODEL],
    keys: 4,
    figures: HOUR_FIGURES,
    valuesOf: ({ hourAt, groupId, model, accountId }) => [accountId, hourAt, groupId, model],
  },
  {
    table: 'usage_days',
    columns: [['key_id', 'text'], ['day_at', 'integer'], ...GROUP_AND_MODEL, ['account_id', 'text']],
    keys: 4,
    figures: HOUR_FIGURES,
    valuesOf: ({ keyId, hourAt, groupId, model, accountId }) => [keyId, dayOf(hourAt), groupId, model, accountId],
  },
  {
    table: 'usage_all_hours',
    columns: [['hour_at', 'integer'], ...GROUP_AND_MODEL, ['lane', 'integer']],
    keys: 4,
    figures: HOUR_FIGURES,
    valuesOf: ({ hourAt, groupId, model }, lane) => [hourAt, groupId, model, lane],
  },
  UPSTREAM_HOURS,
  CREDENTIAL_DAYS,
]

/** Rows over all accounts are many settles' to add to: nodes on one database spread over so many of each. */
export const LANES = 16

/** The beginning of the day, UTC. Epoch milliseconds. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** What a batch adds to one row of a roll-up. */
export interface RollUpSum {
  readonly values: readonly (string | number)[]
  /** The figures in the order of the roll-up's own. */
  readonly figures: readonly bigint[]
}

/** What the hours of a batch add to a roll-up, in an order in which all nodes lock its rows. */
export function sumsFor(rollUp: RollUp, hours: readonly HourSum[], lane: number): readonly RollUpSum[] {
  const sums = new Map<string, { values: readonly (string | number)[]; figures: bigint[] }>()
  const places = rollUp.figures.map((figure) => FIGURES.indexOf(figure))
  for (const hour of hours) {
    const values = rollUp.valuesOf(hour, lane)
    if (values === null) continue
    const name = values.join('\n')
    const sum = sums.get(name)
    const figures = places.map((place) => hour.figures[place] ?? 0n)
    if (sum === undefined) sums.set(name, { values, figures })
    else addUp(sum.figures, figures)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function addUp(sum: bigint[], figures: readonly bigint[]): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0n) + (figures[at] ?? 0n)
}

/** What a batch says of one key: when it was used last (0: it was not), and what it spent. */
export interface KeyUseSum {
  readonly accountId: string
  readonly keyId: string
  usedAt: number
  spent: bigint
}

/** Likewise, key by key. A key that was neither used nor charged is left out. */
export function keyUses(hours: readonly HourSum[]): readonly KeyUseSum[] {
  const uses = new Map<string, KeyUseSum>()
  for (const { accountId, keyId, usedAt, figures } of hours) {
    const cost = figures[COST] ?? 0n
    if (usedAt === 0 && cost === 0n) continue
    const use = uses.get(keyId) ?? { accountId, keyId, usedAt: 0, spent: 0n }
    uses.set(keyId, use)
    use.usedAt = Math.max(use.usedAt, usedAt)
    use.spent += cost
  }
  return [...uses.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
}

const COST = FIGURES.indexOf('cost_nano')

/** The statement that adds to a roll-up. `from`: what gives the rows, as `values (…)` does. */
export function addingTo({ table, columns, keys, figures }: RollUp, from: string): string {
  const names = columns.map(([name]) => name)
  return `
    insert into ${table} (${[...names, ...figures].join(', ')}) ${from}
    on conflict (${names.slice(0, keys).join(', ')})
    do update set ${figures.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`
}

/** The values of a sum as the statement takes them. */
export function valuesOfSum({ values, figures }: RollUpSum): SettlementValue[] {
  return [...values, ...figures]
}
