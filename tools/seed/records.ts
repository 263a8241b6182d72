import { DAY_MS } from '../../src/core/durations.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { costOf } from '../../src/metering/prices/cost.ts'
import { MODELS } from './catalog.ts'
import { quotaBudgetAt, type SeedAccount, type SeedKey } from './holders.ts'
import { BIG_ACCOUNT, idDigits, type SeedPlan, skewed } from './plan.ts'
import type { SeedValue } from './seed-target.ts'

export const RECORD_COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'key_name',
  'group_id',
  'group_name',
  'model',
  'upstream_name',
  'upstream_model',
  'wire',
  'is_stream',
  'outcome',
  'fault',
  'http_status',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'usage_source',
  'is_capped',
  'price_input_nano',
  'price_output_nano',
  'price_cache_read_nano',
  'multiplier_ppm',
  'cost_nano',
  'balance_paid_nano',
  'other_charges_json',
  'attempts_json',
  'client',
  'first_byte_ms',
  'total_ms',
] as const

/** The usage records, oldest first. Notes on each key what its quota is charged. */
export function* seedRecords(
  plan: SeedPlan,
  accounts: readonly SeedAccount[],
  random: () => number,
): Iterable<readonly SeedValue[]> {
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

function recordOf(key: SeedKey, createdAt: number, random: () => number): readonly SeedValue[] {
  const id = firstIdAt('req', createdAt) + idDigits(random)
  const model = MODELS[skewed(MODELS.length, random)] ?? MODELS[0]
  const chance = random()
  if (model === undefined || chance < 0.04) return refused(id, { key, createdAt, chance, model: model?.name ?? '' })
  const tokens = {
    ...NO_TOKENS,
    input: Math.floor(random() * 4_000),
    cacheRead: random() < 0.5 ? Math.floor(random() * 20_000) : 0,
    output: Math.floor(random() * 900),
  }
  const isAborted = chance < 0.06
  const cost = costOf(tokens, model.prices, key.group.multiplier)
  const totalMs = 200 + Math.floor(random() * 9_000)
  return [
    ...head(id, { key, createdAt, groupId: key.group.id, groupName: key.group.name, model: model.name }),
    'openai-main',
    model.name,
    'openai-chat',
    1,
    isAborted ? 'aborted' : 'completed',
    null,
    isAborted ? null : 200,
    tokens.input,
    tokens.cacheRead,
    tokens.output,
    isAborted ? 'estimated' : 'reported',
    0,
    model.prices.input,
    model.prices.output,
    model.prices.cacheRead,
    key.group.multiplier,
    cost,
    cost,
    chargeQuota(key, createdAt, cost),
    `[{"upstreamName":"openai-main","model":"${model.name}","fault":null,"status":200,"totalMs":${totalMs}}]`,
    'OpenAI/JS 7.55.0',
    Math.floor(totalMs / 3),
    totalMs,
  ]
}

function head(
  id: string,
  of: { key: SeedKey; createdAt: number; groupId: string | null; groupName: string | null; model: string },
): readonly SeedValue[] {
  return [id, of.createdAt, of.key.accountId, of.key.id, of.key.name, of.groupId, of.groupName, of.model]
}

const FAULTS = [
  ['rate_limited', 429],
  ['model_not_in_group', 404],
  ['balance_exhausted', 402],
  ['upstream_timeout', 504],
] as const

/** Nothing was consumed. `chance` is below 0.04. */
function refused(
  id: string,
  { key, createdAt, chance, model }: { key: SeedKey; createdAt: number; chance: number; model: string },
): readonly SeedValue[] {
  const [fault, status] = FAULTS[Math.floor(chance * 100)] ?? FAULTS[0]
  const isFailed = fault === 'upstream_timeout'
  const hasGroup = fault !== 'model_not_in_group'
  const group = hasGroup ? key.group : { id: null, name: null }
  return [
    ...head(id, { key, createdAt, groupId: group.id, groupName: group.name, model }),
    isFailed ? 'openai-main' : null,
    isFailed ? model : null,
    'openai-chat',
    0,
    isFailed ? 'failed' : 'refused',
    fault,
    status,
    null,
    null,
    null,
    'none',
    0,
    null,
    null,
    null,
    null,
    0,
    0,
    null,
    '[]',
    'curl/8.5.0',
    null,
    3,
  ]
}

function chargeQuota(key: SeedKey, createdAt: number, cost: bigint): string | null {
  if (key.quota === null || cost === 0n) return null
  const budget = quotaBudgetAt(key, key.quota, createdAt)
  const used = key.used.get(budget.id) ?? { amount: 0n, endsAt: budget.endsAt }
  used.amount += cost
  key.used.set(budget.id, used)
  return `[["${budget.id}","${cost}"]]`
}
