import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import { groupServes } from '../../access/group.ts'
import type { modelCreate } from '../../contract/models.ts'
import { objectOf, readNew } from '../../contract/objects/object-fields.ts'
import { TARGET } from '../../contract/objects/target.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { CALL_KINDS, type CallKind } from '../../core/calls.ts'
import {
  formatMultiplier,
  formatUsd,
  type NanoUsd,
  parseMultiplier,
  parseUsd,
  type PartsPerMillion,
} from '../../core/money.ts'
import {
  isPriceOfOne,
  TOKEN_PRICE_FIELDS,
  type TokenPriceField,
  UNIT_PRICE_FIELDS,
  type UnitPriceField,
} from '../../core/price-fields.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceOfMillion } from '../../core/prices.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import { newObjections, objectionsToTargets } from '../../entitlement/refused-targets.ts'
import {
  DEAREST_PRICE,
  DEAREST_UNIT,
  dearestBeyondBound,
  isChargeablePrice,
  isMargin,
  MARGIN_FORM,
} from '../../metering/prices/price-bounds.ts'
import {
  modelPricesOf,
  objectionToWritten,
  type WrittenService,
  type WrittenTier,
} from '../../metering/prices/written-prices.ts'
import type { Model, Target, Upstream } from '../../routing/catalog.ts'
import { canCarryAny } from '../../routing/route.ts'
import { endpointsOf } from '../../routing/serving.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import { fieldProblem } from '../problem.ts'
import { requireShadowed } from './require-shadowed.ts'

type ModelBody = z.output<typeof modelCreate>

/** The prices of a request. Throws Problem `field_invalid` for one that is absurd. */
export function readPrices(price: ModelBody['price'], at = 'price'): ModelPrices | null {
  if (price === null) return null
  const written = {
    ...amountsIn(price, TOKEN_PRICE_FIELDS, at),
    ...amountsIn(price, UNIT_PRICE_FIELDS, at),
    tiers: price.tiers?.map((tier, i) => readTier(tier, `${at}.tiers.${i}`)),
    service_tiers: mapped(price.service_tiers, (service, name) => readService(service, `${at}.service_tiers.${name}`)),
    inference_geo: mapped(price.inference_geo, ({ factor }) => ({ factor: parseMultiplier(factor) })),
    per_call: price.per_call && amountsIn(price.per_call, CALL_KINDS, `${at}.per_call`),
  }
  const objection = objectionToWritten(written)
  if (objection === null) return modelPricesOf(written)
  const field = [at, ...objection.path].join('.')
  throw fieldProblem(field, `${field} ${mustBe(objection.takes)}.`)
}

/** Whether a field's price is that of one, and not of a million. */
function isOfOne(field: TokenPriceField | UnitPriceField | CallKind): boolean {
  return CALL_KINDS.some((kind) => kind === field) || isPriceOfOne(field)
}

function amountsIn<Field extends TokenPriceField | UnitPriceField | CallKind>(
  sent: { readonly [Each in Field]?: string | null | undefined },
  fields: readonly Field[],
  at: string,
): { readonly [Each in Field]?: NanoUsd } {
  const amounts: { [Each in Field]?: NanoUsd } = {}
  for (const field of fields) {
    const text = sent[field]
    if (text == null) continue
    const ofMillion = isOfOne(field) ? priceOfMillion(parseUsd(text)) : parseUsd(text)
    if (ofMillion === null || !isChargeablePrice(ofMillion)) {
      const most = isOfOne(field) ? `${MOST_OF_ONE} USD` : `${MOST} USD for a million tokens`
      throw fieldProblem(`${at}.${field}`, `${at}.${field} must be at most ${most}.`)
    }
    amounts[field] = ofMillion
  }
  return amounts
}

type PriceBody = NonNullable<ModelBody['price']>
type TierBody = NonNullable<PriceBody['tiers']>[number]
type ServiceBody = NonNullable<PriceBody['service_tiers']>[string]

function readTier(tier: TierBody, at: string): WrittenTier {
  return { above_input_tokens: tier.above_input_tokens, ...amountsIn(tier, TOKEN_PRICE_FIELDS, at) }
}

function readService(service: ServiceBody, at: string): WrittenService {
  return {
    ...amountsIn(service, TOKEN_PRICE_FIELDS, at),
    factor: service.factor === undefined ? undefined : parseMultiplier(service.factor),
    tiers: service.tiers?.map((tier, i) => readTier(tier, `${at}.tiers.${i}`)),
  }
}

function mapped<From, To>(
  sent: Readonly<Record<string, From>> | undefined,
  read: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(sent ?? {}).map(([name, value]) => [name, read(value, name)]))
}

/**
 * The targets of a request, by the names of their upstreams; one that stood there before may stay though its upstream
 * is gone, which is then shown by its id. Throws Problem `field_invalid`.
 */
export function readTargets(
  targets: ModelBody['targets'],
  { catalogue, before }: { catalogue: ListedCatalogue; before: readonly Target[] },
): readonly Target[] {
  const idByName = new Map(catalogue.upstreams.map(({ id, name }) => [name, id]))
  return targets.map((sent, index) => {
    const at = `targets.${index}`
    const kept = before.find(({ upstreamId }) => upstreamId === sent.upstream)
    const upstreamId = idByName.get(sent.upstream) ?? kept?.upstreamId
    if (upstreamId === undefined) {
      throw fieldProblem(`${at}.upstream`, `${at}.upstream must name an upstream that exists: add the upstream first.`)
    }
    const held = readNew(TARGET, sent)
    const groups = readGroups(sent.groups, { catalogue, at: `${at}.groups` })
    const cost = readCost(sent.cost, held.min_margin, at)
    requireShadowed(held, at)
    return { ...objectOf(TARGET, { ...held, upstream: upstreamId, groups }), ...(cost === null ? {} : { cost }) }
  })
}

/** The cost of a target, beside which alone a margin is known. Throws Problem `field_invalid`. */
function readCost(
  cost: ModelBody['targets'][number]['cost'],
  minMargin: PartsPerMillion | null,
  at: string,
): ProviderCost | null {
  if (cost === null) {
    if (minMargin === null) return null
    throw fieldProblem(
      `${at}.min_margin`,
      `${at}.min_margin must have a cost beside it: without one no margin is known.`,
    )
  }
  if (minMargin !== null && !isMargin(minMargin)) {
    throw fieldProblem(`${at}.min_margin`, `${at}.min_margin ${mustBe(MARGIN_FORM)}.`)
  }
  const { factor, ...prices } = cost
  if (factor === null) {
    const own = readPrices(prices, `${at}.cost`)
    return own === null ? null : { kind: 'prices', prices: own }
  }
  if (Object.values(prices).some((price) => price != null)) {
    throw fieldProblem(
      `${at}.cost.factor`,
      `${at}.cost.factor must stand without other prices: either a factor or own prices.`,
    )
  }
  return { kind: 'factor', factor: readFactor(factor, `${at}.cost.factor`) }
}

function readFactor(text: string, field: string): PartsPerMillion {
  const factor = parseMultiplier(text)
  const { most } = BOUNDS.target.cost_factor
  if (factor <= most) return factor
  throw fieldProblem(field, `${field} must be at most ${formatMultiplier(most)}.`)
}

function readGroups(
  names: readonly string[],
  { catalogue, at }: { catalogue: ListedCatalogue; at: string },
): readonly string[] {
  const idByName = new Map(catalogue.groups.map(({ id, name }) => [name, id]))
  return [...new Set(names)].map((name, i) => {
    const id = idByName.get(name)
    if (id === undefined)
      throw fieldProblem(`${at}.${i}`, `${at}.${i} must name a group that exists: add the group first.`)
    return id
  })
}

/** Throws Problem `field_invalid` when a group's multiplier makes the model dearer than any request can be charged. */
export function requireChargeableModel(model: Model, { groups }: ListedCatalogue): void {
  for (const group of groups) {
    if (!groupServes(group, model.name)) continue
    const tooDear = dearestBeyondBound(group.multiplier, [model])
    if (tooDear === null) continue
    throw fieldProblem(
      'price',
      `price makes a million tokens cost $${formatUsd(tooDear.price)} in the group "${group.name}", where $${MOST} is the most: lower it, or the group's multiplier.`,
    )
  }
}

/**
 * Throws Problem `field_invalid` for a target that can never do what is written of it. Not for what `before` had already (null:
 * it is a new model), and not for groups and credentials: those are given the model once its target is there.
 */
export function requireUsableTargets(after: Model, before: Model | null, catalogue: ListedCatalogue): void {
  const objectionsOf = (model: Model) => objectionsToTargets({ ...model, endpoints: endpointsOf(model) }, catalogue)
  const found = newObjections(objectionsOf(after), before === null ? [] : objectionsOf(before))
  const objection = found.find(({ kind }) => kind === 'weight' || kind === 'protocol')
  if (objection === undefined) return
  const field = `targets.${objection.index}.${objection.field}`
  throw fieldProblem(field, `${field} ${mustBe(objection.takes)}.`)
}

/** Throws Problem `field_invalid` when the upstream could carry no endpoint of a model that has a target there. */
export function requireCarriedTargets(after: Upstream, models: readonly Model[]): void {
  const stranded = models.find(
    (model) =>
      model.targets.some(({ upstreamId }) => upstreamId === after.id) &&
      !canCarryAny(endpointsOf(model), after.protocol),
  )
  if (stranded === undefined) return
  throw fieldProblem(
    'protocol',
    `protocol must be one that can carry an endpoint of the model "${stranded.name}", which has a target here.`,
  )
}

const MOST = formatUsd(DEAREST_PRICE)
const MOST_OF_ONE = formatUsd(DEAREST_UNIT)
