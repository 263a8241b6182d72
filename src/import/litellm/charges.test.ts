import { expect, test } from 'vitest'
import { ONE_PPM } from '../../core/money.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import { NO_UNITS } from '../../core/units.ts'
import { drawnFrom } from '../../../test/support/import-sources/new-api-source.ts'
import { planFor } from '../../../test/support/import-sources/litellm-plan.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'

/**
 * What LiteLLM takes for a request, written from its generic cost per token: the rates of the largest length that the prompt is
 * beyond, else the plain ones, of each kind of tokens; reasoning apart from other output where it has a rate. It counts in
 * doubles; here each rate is the decimal that it is written as, in units of 1e-12 USD.
 */
function charged(fields: Fields, usage: Usage): bigint {
  const prompt = usage.plain + usage.cached + usage.written + usage.writtenHour
  const above = [200_000, 128_000].find(
    (length) => prompt > length && `input_cost_per_token_above_${length / 1000}k_tokens` in fields,
  )
  const rate = (field: string, instead = 0n) =>
    (above === undefined ? undefined : fields[`${field}_above_${above / 1000}k_tokens`]) ?? fields[field] ?? instead
  const output = rate('output_cost_per_token')
  return (
    BigInt(usage.plain) * rate('input_cost_per_token') +
    BigInt(usage.cached) * rate('cache_read_input_token_cost') +
    BigInt(usage.written) * rate('cache_creation_input_token_cost') +
    BigInt(usage.writtenHour) * rate('cache_creation_input_token_cost_above_1hr') +
    BigInt(usage.output - usage.reasoning) * output +
    BigInt(usage.reasoning) * (fields['output_cost_per_reasoning_token'] ?? output) +
    (fields['input_cost_per_request'] ?? 0n)
  )
}

/** Amounts in 1e-12 USD, by the names of the configuration. */
type Fields = Readonly<Record<string, bigint>>
interface Usage {
  readonly plain: number
  readonly cached: number
  readonly written: number
  readonly writtenHour: number
  readonly output: number
  readonly reasoning: number
}

const draw = drawnFrom(40)
/** A price of a token that is a whole number of nano-USD for a million. */
const price = (most: number) => BigInt(1 + draw(most)) * 1_000n

function table(): Fields {
  const input = price(20_000)
  const output = price(90_000)
  const plain = {
    input_cost_per_token: input,
    output_cost_per_token: output,
    cache_read_input_token_cost: price(5_000),
    cache_creation_input_token_cost: price(25_000),
    cache_creation_input_token_cost_above_1hr: price(40_000),
    ...(draw(3) === 0 ? { output_cost_per_reasoning_token: price(90_000) } : {}),
    ...(draw(4) === 0 ? { input_cost_per_request: price(2_000_000_000) } : {}),
  }
  const longer = (length: string, factor: bigint) =>
    Object.fromEntries(
      [
        'input_cost_per_token',
        'output_cost_per_token',
        'cache_read_input_token_cost',
        'cache_creation_input_token_cost',
      ].map((field) => [`${field}_above_${length}_tokens`, plain[field as 'input_cost_per_token'] * factor]),
    )
  const kind = draw(4)
  return { ...plain, ...(kind >= 2 ? longer('128k', 2n) : {}), ...(kind === 1 || kind === 3 ? longer('200k', 3n) : {}) }
}

function drawnUsage(): Usage {
  const scale = [2_000, 60_000, 130_000, 210_000][draw(4)] ?? 0
  const output = draw(40_000)
  return {
    plain: draw(scale),
    cached: draw(scale),
    written: draw(5_000),
    writtenHour: draw(2) * draw(5_000),
    output,
    reasoning: draw(2) * draw(output + 1),
  }
}

/** Writes a rate as people do: 2.5e-06. */
function written(rate: bigint): string {
  const digits = String(rate)
  return `${digits}e-12`
}

test('a thousand tables of prices charge a thousand usages what LiteLLM charges, rounded up to one nano-USD', async () => {
  const cases = Array.from({ length: 1_000 }, () => ({ fields: table(), usage: drawnUsage() }))
  const plan = await planFor({
    model_list: cases.map(({ fields }, i) => ({
      model_name: `m${i}`,
      litellm_params: { model: 'hosted_vllm/m', api_base: 'http://10.0.0.1' },
      model_info: Object.fromEntries(Object.entries(fields).map(([name, rate]) => [name, written(rate)])),
    })),
  })
  const prices = new Map(plan.models.map((model) => [model.name, model.prices]))
  const wrong = cases.flatMap(({ fields, usage: of }, i) => {
    const found = prices.get(`m${i}`)
    if (found == null) return [`m${i} has no price`]
    const counts: TokenCounts = {
      ...NO_TOKENS,
      input: of.plain,
      cacheRead: of.cached,
      cacheWrite: of.written,
      cacheWrite1h: of.writtenHour,
      output: of.output,
      reasoning: of.reasoning,
      units: { ...NO_UNITS, requests: 1 },
    }
    const { prices: applied } = appliedPrices(found, counts, { asked: NO_TERMS, named: NO_TERMS })
    const here = costOf(counts, applied, ONE_PPM)
    const there = (charged(fields, of) + 999n) / 1_000n
    return here === there ? [] : [`m${i}: ${here} here, ${there} there, of ${JSON.stringify(of)}`]
  })
  expect(wrong.slice(0, 5)).toEqual([])
})

test('what has no price of its own is free there, and costs what other input does here, which the report says', async () => {
  const info = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
  const entry = (model_name: string, more: object) => ({
    model_name,
    litellm_params: { model: 'hosted_vllm/m', api_base: 'http://10.0.0.1' },
    model_info: { ...info, ...more },
  })
  const { notes } = await planFor({
    model_list: [entry('bare', {}), entry('whole', { cache_read_input_token_cost: 1e-7 })],
  })
  expect(notes).toContainEqual({
    table: 'models',
    ids: ['bare'],
    what: 'say no price of cached input, which is free there and costs what other input does here',
  })
})
