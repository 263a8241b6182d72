import { plus, type Rational, readRational, times, NANO, NOTHING } from '../rational.ts'
import { bearer, fieldIn, goodBody, mapsIn, noPrices, whyNot, costOfTokens } from './source-word.ts'
import type { AskSource, SaidPrices, FixedUsage } from './source-word.ts'
import { entriesOf } from '../source.ts'

type LitellmFields = ReadonlyMap<string, unknown>

/** The prices of LiteLLM’s proxy: `GET /model/info` says of each deployment what it charges by, its built-in list included. */
export async function litellmPrices(ask: AskSource, masterKey: string | null): Promise<SaidPrices> {
  if (masterKey === null)
    return noPrices('models and prices: give the master key in IMPORT_VERIFY_KEY, and /model/info says them')
  const first = await ask('/model/info', bearer(masterKey))
  const answer = goodBody(first) === null ? await ask('/v1/model/info', bearer(masterKey)) : first
  const data = fieldIn(goodBody(answer), 'data')
  if (!Array.isArray(data)) return noPrices(`models and prices: /model/info does not say them, since ${whyNot(answer)}`)
  const deployments = Map.groupBy(
    mapsIn(data).filter((each) => typeof each.get('model_name') === 'string'),
    (each) => String(each.get('model_name')),
  )
  const tiered = [...deployments.values()].flat().filter((each) => infoOf(each).get('tiered_pricing') != null).length
  return {
    models: new Set([...deployments.keys()].filter((name) => !name.includes('*'))),
    chargesOf(model, _group, usage) {
      const charges = (deployments.get(model) ?? []).flatMap((each) => {
        const nano = chargeOf(infoOf(each), usage)
        return nano === null ? [] : [{ nano, unit: 1n, isMultiplied: true }]
      })
      return charges.length === 0 ? null : charges
    },
    unsaid: tiered === 0 ? [] : [`the prices of ${tiered} deployments, which are tables by length there`],
  }
}

function infoOf(deployment: LitellmFields): LitellmFields {
  return new Map(entriesOf(deployment.get('model_info')))
}

/** null: it says no price, or by a table. What has no price of its own there is free, cached input too. */
function chargeOf(info: LitellmFields, usage: FixedUsage): Rational | null {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const plain = priceIn(info, 'input_cost_per_token')
  const perRequest = priceIn(info, 'input_cost_per_request')
  if (info.get('tiered_pricing') != null || (plain === null && perRequest === null)) return null
  const above = thresholdFor(info, prompt)
  const price = (field: string) =>
    (above === null ? null : priceIn(info, `${field}_above_${above}_tokens`)) ?? priceIn(info, field) ?? NOTHING
  const tokens = costOfTokens(usage, {
    input: price('input_cost_per_token'),
    cacheRead: price('cache_read_input_token_cost'),
    cacheWrite: price('cache_creation_input_token_cost'),
    output: price('output_cost_per_token'),
  })
  return times(plus(tokens, perRequest ?? NOTHING), NANO)
}

/** The largest length that the prompt is beyond, as it is written, such as `200k`. */
function thresholdFor(info: LitellmFields, prompt: number): string | null {
  const lengths = [...info.keys()].flatMap((field) => {
    const [, written, thousand] = /^input_cost_per_token_above_((?:\d{1,9})(k?))_tokens$/.exec(field) ?? []
    const isSet = priceIn(info, field) !== null
    return written === undefined || !isSet
      ? []
      : [{ written, above: Number.parseInt(written) * (thousand === 'k' ? 1_000 : 1) }]
  })
  return lengths.filter(({ above }) => prompt > above).toSorted((a, b) => b.above - a.above)[0]?.written ?? null
}

function priceIn(info: LitellmFields, field: string): Rational | null {
  const value = info.get(field)
  return typeof value === 'number' || typeof value === 'string' ? readRational(String(value)) : null
}
