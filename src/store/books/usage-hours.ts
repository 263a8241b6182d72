import { HOUR_MS } from '../../core/durations.ts'
import { hasAffinity } from '../../core/route-reasons.ts'
import { otherCountsOf } from './other-counts-json.ts'
import type { SettlementRows, SettlementValue } from '../engine/settlement-rows.ts'
import { columnAt, USAGE_WIDTH } from './usage-columns.ts'

/** The requests of a batch that one key had in one hour, by group, model, upstream, credential and fault: what all roll-ups are made of. */
export interface HourSum {
  readonly keyId: string
  readonly hourAt: number
  readonly groupId: string
  readonly model: string
  readonly accountId: string
  /** The upstream that was asked last; empty: none was. */
  readonly upstream: string
  /** The credential that it was asked with; empty: none was. */
  readonly credential: string
  /** Empty: it ended well. */
  readonly fault: string
  /** The sums in the order of `FIGURES`. */
  readonly figures: bigint[]
  /** When the last of them began that the key itself was used for; 0: none. Epoch milliseconds. */
  usedAt: number
}

/** The columns that are sums. Tokens of input are of all kinds; `failed` ended with a fault. */
export const HOUR_FIGURES = [
  'requests',
  'failed',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'cost_nano',
  'balance_paid_nano',
] as const

/** What requests cost at their providers, and what those were charged of which that is known. */
const COST_FIGURES = ['provider_cost_nano', 'costed_nano'] as const

/** Input of all kinds, and what of it was read from a cache, of requests whose upstream says so; with affinity and without. */
const CACHE_FIGURES = ['kept_input_tokens', 'kept_cached_tokens', 'free_input_tokens', 'free_cached_tokens'] as const

/** All that is summed; each roll-up has some of them. */
export const FIGURES = [...HOUR_FIGURES, ...COST_FIGURES, ...CACHE_FIGURES] as const

export type Figure = (typeof FIGURES)[number]

/**
 * Whether a record with this fault is a use of its key. An attempt with another secret that begins like this key's is
 * shown to its owner, but is not a use of it.
 */
export function isUseOfKey(fault: string | null): boolean {
  return fault !== 'key_unknown' && fault !== 'key_malformed'
}

/** What a record says, as far as the roll-up counts it. */
export interface CountedRecord {
  readonly createdAt: number
  readonly groupId: string | null
  readonly model: string | null
  readonly fault: string | null
}

/** The row of `usage_hours` that counts a record. */
export function hourOf({
  createdAt,
  groupId,
  model,
  fault,
}: CountedRecord): Pick<HourSum, 'hourAt' | 'groupId' | 'model'> {
  return {
    hourAt: Math.floor(createdAt / HOUR_MS) * HOUR_MS,
    groupId: groupId ?? '',
    // Where there is no such model, the name is whatever a client made up: they would make any number of rows, of any length.
    model: groupId === null || fault === 'model_unknown' ? '' : (model ?? ''),
  }
}

/** Names a sum. */
function nameOf(hour: Omit<HourSum, 'accountId' | 'figures' | 'usedAt'>) {
  const { keyId, hourAt, groupId, model, upstream, credential, fault } = hour
  return `${keyId}\n${hourAt}\n${groupId}\n${model}\n${fault}\n${upstream}\n${credential}`
}

/** What the records of a batch that count (by their number) add, in the order of their names. */
export function hourSums(batch: SettlementRows, isNew: (index: number) => boolean): readonly HourSum[] {
  const sums = new Map<string, HourSum>()
  for (let index = 0; index < batch.count; index++) {
    const start = index * USAGE_WIDTH
    // What was consumed is unknown; if it becomes known, it is counted.
    if (!isNew(index) || batch.records[start + OUTCOME] === 'interrupted') continue
    addRecord(sums, batch.records, start)
  }
  // Nodes that add to the same rows lock them in the same order.
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function addRecord(sums: Map<string, HourSum>, values: readonly SettlementValue[], start: number): void {
  const keyId = values[start + KEY] as string
  const fault = values[start + FAULT] as string | null
  const hour = hourOf({
    createdAt: values[start + CREATED] as number,
    groupId: values[start + GROUP] as string | null,
    model: values[start + MODEL] as string | null,
    fault,
  })
  const upstream = (values[start + UPSTREAM] as string | null) ?? ''
  const credential = (values[start + CREDENTIAL] as string | null) ?? ''
  const of = { keyId, ...hour, upstream, credential, fault: fault ?? '' }
  const name = nameOf(of)
  const sum = sums.get(name) ?? {
    ...of,
    accountId: values[start + ACCOUNT] as string,
    figures: none(),
    usedAt: 0,
  }
  sums.set(name, sum)
  if (isUseOfKey(fault)) {
    sum.usedAt = Math.max(sum.usedAt, values[start + CREATED] as number)
  }
  const add = (figure: number, value: SettlementValue | undefined) => {
    if (value) sum.figures[figure] = (sum.figures[figure] ?? 0n) + BigInt(value)
  }
  add(0, 1)
  if (fault !== null) add(1, 1)
  for (const column of INPUTS) add(2, values[start + column])
  add(3, values[start + CACHE_READ])
  add(4, values[start + OUTPUT])
  add(5, values[start + COST])
  add(6, values[start + BALANCE_PAID])
  const providerCost = values[start + PROVIDER_COST] ?? null
  if (providerCost !== null) {
    add(7, providerCost)
    add(8, values[start + COST])
  }
  const cached = values[start + CACHE_READ] ?? null
  const trace = values[start + TRACE]
  const cacheAt = typeof trace === 'string' && hasAffinity(trace) ? KEPT_INPUT : FREE_INPUT
  if (cached !== null) {
    for (const column of INPUTS) add(cacheAt, values[start + column])
    add(cacheAt + 1, cached)
  }
  const other = values[start + OTHER_TOKENS]
  if (typeof other !== 'string') return
  const { tokens } = otherCountsOf(JSON.parse(other))
  const otherInput = (tokens?.audioInput ?? 0) + (tokens?.imageInput ?? 0)
  add(2, otherInput)
  if (cached !== null) add(cacheAt, otherInput)
  add(4, tokens?.audioOutput ?? 0)
}

function none(): bigint[] {
  return FIGURES.map(() => 0n)
}

const KEPT_INPUT = FIGURES.indexOf('kept_input_tokens')
const FREE_INPUT = FIGURES.indexOf('free_input_tokens')
const CREATED = columnAt('created_at')
const ACCOUNT = columnAt('account_id')
const KEY = columnAt('key_id')
const GROUP = columnAt('group_id')
const MODEL = columnAt('model')
const OUTCOME = columnAt('outcome')
const FAULT = columnAt('fault')
const CACHE_READ = columnAt('cache_read_tokens')
const INPUTS = [columnAt('input_tokens'), CACHE_READ, columnAt('cache_write_tokens'), columnAt('cache_write_1h_tokens')]
const OUTPUT = columnAt('output_tokens')
const OTHER_TOKENS = columnAt('other_tokens_json')
const COST = columnAt('cost_nano')
const BALANCE_PAID = columnAt('balance_paid_nano')
const UPSTREAM = columnAt('upstream_name')
const CREDENTIAL = columnAt('credential_name')
const PROVIDER_COST = columnAt('provider_cost_nano')
const TRACE = columnAt('route_trace')
