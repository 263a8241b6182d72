import { DAY_MS } from '../../src/core/durations.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { costOf } from '../../src/metering/prices/cost.ts'
import { MODELS } from './catalog.ts'
import { quotaBudgetAt, type SeedAccount, type SeedKey } from './holders.ts'
import { BIG_ACCOUNT, idDigits, type SeedPlan, skewed } from './plan.ts'
import type { SeedRow } from './seed-target.ts'

/** The usage records, oldest first. Notes on each key what its quota is charged. */
export function* seedRecords(
  plan: SeedPlan,
  accounts: readonly SeedAccount[],
  random: () => number,
): Iterable<SeedRow> {
  const begin = plan.untilMs - plan.days * DAY_MS
  const step = (plan.days * DAY_MS) / plan.records
  const [big, ...others] = accounts
  for (let index = 0; index < plan.records; index++) {
    const createdAt = Math.floor(begin + index * step)
    const isBig = others.length === 0 || random() < BIG_ACCOUNT.records
    const account = isBig ? big : others[skewed(others.length, random)]
    const key = account?.keys[skewed(account.keys.length, random)]
    if (key !== undefined) yield recordOf(key, createdAt, random)
  }
}

function recordOf(key: SeedKey, createdAt: number, random: () => number): SeedRow {
  const id = firstIdAt('req', createdAt) + idDigits(random)
  const model = MODELS[skewed(MODELS.length, random)] ?? MODELS[0]
  const chance = random()
  if (model === undefined || chance < 0.04) {
    return { ...refusedRow(id, key, createdAt), ...refusal(chance, model?.name ?? '') }
  }
  const tokens = {
    ...NO_TOKENS,
    input: Math.floor(random() * 4_000),
    cacheRead: random() < 0.5 ? Math.floor(random() * 20_000) : 0,
    output: Math.floor(random() * 900),
  }
  const isAborted = chance < 0.06
  const cost = costOf(tokens, model.prices, key.group.multiplier)
  const totalMs = 200 + Math.floor(random() * 9_000)
  return {
    ...refusedRow(id, key, createdAt),
    model: model.name,
    upstream_name: 'openai-main',
    upstream_model: model.name,
    is_stream: 1,
    outcome: isAborted ? 'aborted' : 'completed',
    http_status: isAborted ? null : 200,
    input_tokens: tokens.input,
    cache_read_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    usage_source: isAborted ? 'estimated' : 'reported',
    price_input_nano: model.prices.input,
    price_output_nano: model.prices.output,
    price_cache_read_nano: model.prices.cacheRead,
    multiplier_ppm: key.group.multiplier,
    cost_nano: cost,
    balance_paid_nano: cost,
    other_charges_json: chargeQuota(key, createdAt, cost),
    attempts_json: `[{"upstreamName":"openai-main","model":"${model.name}","fault":null,"status":200,"totalMs":${totalMs}}]`,
    client: 'OpenAI/JS 7.55.0',
    first_byte_ms: Math.floor(totalMs / 3),
    total_ms: totalMs,
  }
}

/** The columns of a request that was refused, and of which nothing was consumed. */
function refusedRow(id: string, key: SeedKey, createdAt: number): SeedRow {
  return {
    id,
    created_at: createdAt,
    account_id: key.accountId,
    key_id: key.id,
    key_name: key.name,
    group_id: key.group.id,
    group_name: key.group.name,
    model: null,
    upstream_name: null,
    upstream_model: null,
    wire: 'openai-chat',
    is_stream: 0,
    outcome: 'refused',
    fault: null,
    http_status: null,
    input_tokens: null,
    cache_read_tokens: null,
    output_tokens: null,
    usage_source: 'none',
    is_capped: 0,
    price_input_nano: null,
    price_output_nano: null,
    price_cache_read_nano: null,
    multiplier_ppm: null,
    cost_nano: 0,
    balance_paid_nano: 0,
    other_charges_json: null,
    attempts_json: '[]',
    client: 'curl/8.5.0',
    first_byte_ms: null,
    total_ms: 3,
  }
}

const FAULTS = [
  ['rate_limited', 429],
  ['model_not_in_group', 404],
  ['balance_exhausted', 402],
  ['upstream_timeout', 504],
] as const

/** The columns in which refusals differ, by a `chance` below 0.04. */
function refusal(chance: number, model: string): SeedRow {
  const [fault, http_status] = FAULTS[Math.floor(chance * 100)] ?? FAULTS[0]
  const why = { model, fault, http_status }
  if (fault === 'model_not_in_group') return { ...why, group_id: null, group_name: null }
  if (fault !== 'upstream_timeout') return why
  return { ...why, upstream_name: 'openai-main', upstream_model: model, outcome: 'failed' }
}

function chargeQuota(key: SeedKey, createdAt: number, cost: bigint): string | null {
  if (key.quota === null || cost === 0n) return null
  const budget = quotaBudgetAt(key, key.quota, createdAt)
  const used = key.used.get(budget.id) ?? { amount: 0n, endsAt: budget.endsAt }
  used.amount += cost
  key.used.set(budget.id, used)
  return `[["${budget.id}","${cost}"]]`
}
