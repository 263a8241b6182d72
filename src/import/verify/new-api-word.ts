import { dividedBy, type Rational, rational, times, NANO, ONE, numberOf } from '../rational.ts'
import { entriesOf } from '../source.ts'
import { fieldIn, goodBody, mapsIn, noPrices, whyNot, costOfTokens } from './source-word.ts'
import type { AskSource, SaidPrices, FixedUsage } from './source-word.ts'

const USUAL_QUOTA = rational(500_000n)
const WRITES = rational(5n, 4n)

type NewApiFields = ReadonlyMap<string, unknown>

/** The prices of a new-api site: `GET /api/pricing` says of each model what it takes, and the ratios of groups that are open to all. */
export async function newApiPrices(ask: AskSource): Promise<SaidPrices> {
  const answer = await ask('/api/pricing', {})
  const body = goodBody(answer)
  const listed = mapsIn(fieldIn(body, 'data'))
  if (listed.length === 0)
    return noPrices(`prices: /api/pricing does not say them, since ${unreadable(body) ?? whyNot(answer)}`)
  const status = goodBody(await ask('/api/status', {}))
  const perUsd = numberIn(fieldIn(fieldIn(status, 'data'), 'quota_per_unit')) ?? USUAL_QUOTA
  const models = new Map(listed.map((fields) => [String(fields.get('model_name')), fields] as const))
  const ratios = new Map(entriesOf(fieldIn(body, 'group_ratio')))
  const byExpression = listed.filter(isByExpression).length
  const unset = listed.filter(isUnset).length
  return {
    models: new Set(models.keys()),
    chargesOf(model, group, usage) {
      const fields = models.get(model)
      const units = fields === undefined ? null : unitsOf(fields, usage, perUsd)
      if (units === null) return null
      const ratio = numberIn(ratios.get(group))
      const nano = times(dividedBy(units, perUsd), NANO, ratio ?? ONE)
      return [{ nano, unit: unitOf(perUsd), isMultiplied: ratio !== null }]
    },
    unsaid: [
      ...(byExpression === 0 ? [] : [`the prices of ${byExpression} models, which are expressions there`]),
      ...(unset === 0 ? [] : [`the prices of ${unset} models, which have none there`]),
      'the ratios of groups that only some may choose, and those of single users: their prices are compared without a ratio',
    ],
  }
}

/** What its handlers say of a failure, beside the status 200. */
function unreadable(body: unknown): string | null {
  return fieldIn(body, 'success') === false ? 'it asks for a sign-in' : null
}

/** The charge in its own units, of which so many are a USD: a token at the ratio 1 is one. null: it does not say. */
function unitsOf(fields: NewApiFields, usage: FixedUsage, perUsd: Rational): Rational | null {
  if (isByExpression(fields)) return null
  if (fields.get('quota_type') === 1) {
    const price = numberIn(fields.get('model_price'))
    return price === null ? null : times(price, perUsd)
  }
  const [ratio, completion] = [numberIn(fields.get('model_ratio')), numberIn(fields.get('completion_ratio'))]
  if (ratio === null || completion === null || isUnset(fields)) return null
  const cached = numberIn(fields.get('cache_ratio')) ?? ONE
  const written = numberIn(fields.get('create_cache_ratio')) ?? WRITES
  const tokens = costOfTokens(usage, { input: ONE, cacheRead: cached, cacheWrite: written, output: completion })
  return times(tokens, ratio)
}

function isByExpression(fields: NewApiFields): boolean {
  return fields.get('billing_mode') === 'tiered_expr'
}

/** What it says of a model that has no ratio, and whose calls it refuses. */
function isUnset(fields: NewApiFields): boolean {
  return fields.get('quota_type') !== 1 && fields.get('model_ratio') === 37.5 && fields.get('completion_ratio') === 1
}

/** One of its units, in nano-USD, rounded up. */
function unitOf(perUsd: Rational): bigint {
  const { over, under } = dividedBy(NANO, perUsd)
  return (over + under - 1n) / under
}

/** null: it is none, or below zero. */
function numberIn(value: unknown): Rational | null {
  const number = numberOf(value)
  return number === null || number.over < 0n ? null : number
}
