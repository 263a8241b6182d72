import { z } from 'zod'
import { BOUNDS } from '../../core/bounds.ts'
import { CALL_KINDS, type CallKind } from '../../core/calls.ts'
import { formatUsd, type PartsPerMillion } from '../../core/money.ts'
import { forEachTokenPrice, forEachUnitPrice, isPriceOfOne } from '../../core/price-fields.ts'
import { priceOfMillion, type TokenPrices } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import { modelPricesOf, objectionToWritten } from '../../metering/prices/written-prices.ts'
import { dearestBeyondBound, isMargin, MARGIN_FORM } from '../../metering/prices/price-bounds.ts'
import { listOf, multiplier, usd, wholeNumber } from './fields.ts'
import type { Path } from './located-yaml.ts'

const tokenFields = forEachTokenPrice(() => unitPrice().nullish())

const tierFields = { above_input_tokens: wholeNumber(BOUNDS.price.above_input_tokens), ...tokenFields }

const tiers = listOf(
  z.strictObject(tierFields, 'a map with above_input_tokens, input and output'),
  'tiers',
  BOUNDS.price.tiers,
).nullish()

const serviceFields = { factor: multiplier(BOUNDS.price.factor).nullish(), ...tokenFields, tiers }
const geoFields = { factor: multiplier(BOUNDS.price.factor) }

const callFields = Object.fromEntries(CALL_KINDS.map((kind) => [kind, priceOfUnit().nullish()])) as Record<
  CallKind,
  z.ZodOptional<z.ZodNullable<ReturnType<typeof priceOfUnit>>>
>

const priceFields = {
  ...tokenFields,
  ...forEachUnitPrice((field) => (isPriceOfOne(field) ? priceOfUnit() : unitPrice()).nullish()),
  tiers,
  service_tiers: named(z.strictObject(serviceFields, 'a map with a factor, or with input and output')).nullish(),
  inference_geo: named(z.strictObject(geoFields, 'a map with a factor')).nullish(),
  per_call: z.strictObject(callFields, 'a map of prices for one call, such as web_search').nullish(),
}

/** All prices of a model. */
export const price = z
  .strictObject(
    priceFields,
    'a map with input and output, in USD per million tokens, or with a price such as per_image',
  )
  .superRefine((written, context) => {
    const objection = objectionToWritten(written)
    if (objection === null) return
    context.addIssue({ code: 'custom', path: [...objection.path], message: objection.takes })
  })
  .transform(modelPricesOf)

const costFields = { factor: multiplier(BOUNDS.target.cost_factor).nullish(), ...priceFields }

/** What the provider of a target charges. */
export const cost = z
  .strictObject(costFields, 'a map with a factor on the model’s price, or with prices like those of a model')
  .superRefine(({ factor, ...written }, context) => {
    if (factor == null) {
      const objection = objectionToWritten(written)
      if (objection === null) return
      context.addIssue({ code: 'custom', path: [...objection.path], message: objection.takes })
    } else if (Object.values(written).some((value) => value != null)) {
      const message = 'must stand without other prices: either a factor or own prices'
      context.addIssue({ code: 'custom', path: ['factor'], message })
    }
  })
  .transform(({ factor, ...written }): ProviderCost =>
    factor == null ? { kind: 'prices', prices: modelPricesOf(written) } : { kind: 'factor', factor },
  )

/** The least part of a price that is to be left. */
export function margin() {
  return multiplier(BOUNDS.target.cost_factor).refine(isMargin, { error: MARGIN_FORM })
}

/** The names of the fields of each place; `*` stands for a name that the file gives. */
export const PRICE_FIELD_NAMES = {
  'models.price': priceFields,
  'models.targets.cost': costFields,
  'models.price.tiers': tierFields,
  'models.price.service_tiers.*': serviceFields,
  'models.price.service_tiers.*.tiers': tierFields,
  'models.price.inference_geo.*': geoFields,
  'models.price.per_call': callFields,
}

function named<Entry extends z.ZodType>(entry: Entry) {
  return z.record(z.string(), entry, 'a map with a name for each')
}

/** A price of a million tokens or characters. */
function unitPrice() {
  return usd(BOUNDS.price.million)
}

/** A price of one request, image or second, kept as that of a million. */
function priceOfUnit() {
  return usd(BOUNDS.price.one).transform(priceOfMillion)
}

/** Groups whose multiplier makes a price that no request could be charged. */
export function priceProblems({ models, groups }: DeclaredPrices): readonly PriceProblem[] {
  return groups.flatMap((group, i) => {
    const served = models.filter(({ name }) => group.models.includes('*') || group.models.includes(name))
    const tooDear = dearestBeyondBound(group.multiplier, served)
    if (tooDear === null) return []
    const sentence = `this multiplier makes a million tokens of "${tooDear.name}" cost $${formatUsd(tooDear.price)}, where $${formatUsd(BOUNDS.price.million.most)} is the most: lower it, or the model's price`
    return [{ path: ['groups', i, 'multiplier'], sentence }]
  })
}

interface DeclaredPrices {
  readonly models: readonly { readonly name: string; readonly prices: TokenPrices | null }[]
  readonly groups: readonly { readonly multiplier: PartsPerMillion; readonly models: readonly string[] }[]
}

interface PriceProblem {
  readonly path: Path
  readonly sentence: string
}
