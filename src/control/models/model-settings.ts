import { mustBe } from '../../core/must-be.ts'
import type { z } from '@hono/zod-openapi'
import { groupServes } from '../../access/group.ts'
import type { modelCreate } from '../../contract/models.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { CALL_KINDS } from '../../core/calls.ts'
import {
  formatMultiplier,
  formatUsd,
  type NanoUsd,
  parseMultiplier,
  parseUsd,
  type PartsPerMillion,
} from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceOfMillion } from '../../core/prices.ts'
import { TARGET_SHADOWS } from '../../core/shadow-rules.ts'
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
import { writtenServing } from '../../routing/serving.ts'
import type { Catalogue } from '../catalogue.ts'
import { fieldProblem } from '../problem.ts'
import { readShadow } from './read-shadow.ts'

type Sent = z.output<typeof modelCreate>

/** The prices of a request. Throws Problem `field_invalid` for one that is absurd. */
export function readPrices(price: Sent['price'], at = 'price'): ModelPrices | null {
  if (price === null) return null
  const written = {
    ...amountsIn(price, OF_TOKENS, at),
    ...amountsIn(price, OF_UNITS, at),
    tiers: price.tiers?.map((tier, i) => readTier(tier, `${at}.tiers.${i}`)),
    service_tiers: mapped(price.service_tiers, (service, name) => readService(service, `${at}.service_tiers.${name}`)),
    inference_geo: mapped(price.inference_geo, ({ factor }) => ({ factor: parseMultiplier(factor) })),
    per_call: price.per_call && amountsIn(price.per_call, OF_CALLS, `${at}.per_call`),
  }
  const objection = objectionToWritten(written)
  if (objection === null) return modelPricesOf(written)
  const field = [at, ...objection.path].join('.')
  throw fieldProblem(field, `${field} ${mustBe(objection.takes)}.`)
}

const OF_TOKENS = [
  'input',
  'output',
  'reasoning_output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'image_input',
  'audio_output',
] as const
const OF_UNITS = ['per_request', 'per_image', 'per_second', 'per_million_characters'] as const
const OF_CALLS = CALL_KINDS

/** Fields whose price is that of one, and not of a million. */
const OF_ONE: ReadonlySet<string> = new Set(['per_request', 'per_image', 'per_second', ...CALL_KINDS])

function amountsIn<Field extends string>(
  sent: { readonly [Each in Field]?: string | null | undefined },
  fields: readonly Field[],
  at: string,
): { readonly [Each in Field]?: NanoUsd } {
  const amounts: { [Each in Field]?: NanoUsd } = {}
  for (const field of fields) {
    const text = sent[field]
    if (text == null) continue
    const isOfOne = OF_ONE.has(field)
    const ofMillion = isOfOne ? priceOfMillion(parseUsd(text)) : parseUsd(text)
    if (ofMillion === null || !isChargeablePrice(ofMillion)) {
      const most = isOfOne ? `${MOST_OF_ONE} USD` : `${MOST} USD for a million tokens`
      throw fieldProblem(`${at}.${field}`, `${at}.${field} must be at most ${most}.`)
    }
    amounts[field] = ofMillion
  }
  return amounts
}

type SentPrice = NonNullable<Sent['price']>
type SentTier = NonNullable<SentPrice['tiers']>[number]
type SentService = NonNullable<SentPrice['service_tiers']>[string]

function readTier(tier: SentTier, at: string): WrittenTier {
  return { above_input_tokens: tier.above_input_tokens, ...amountsIn(tier, OF_TOKENS, at) }
}

function readService(service: SentService, at: string): WrittenService {
  return {
    ...amountsIn(service, OF_TOKENS, at),
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
  targets: Sent['targets'],
  { catalogue, before }: { catalogue: Catalogue; before: readonly Target[] },
): readonly Target[] {
  const idByName = new Map(catalogue.upstreams.map(({ id, name }) => [name, id]))
  return targets.map(({ upstream, groups, cost, min_margin: minMargin, ...others }, index) => {
    const { drop_fields: dropped, fields_like: fieldsLike, rules, spend_per_day: cap, shadow, ...target } = others
    const kept = before.find(({ upstreamId }) => upstreamId === upstream)
    const upstreamId = idByName.get(upstream) ?? kept?.upstreamId
    const field = `targets.${index}.upstream`
    if (upstreamId === undefined) {
      throw fieldProblem(field, `${field} must name an upstream that exists: add the upstream first.`)
    }
    const at = `targets.${index}`
    return {
      ...target,
      upstreamId,
      ...readGroups(groups, { catalogue, at: `${at}.groups` }),
      ...readCost({ cost, minMargin }, at),
      ...(cap === null ? {} : { spendPerDay: parseUsd(cap) }),
      ...readShadow(TARGET_SHADOWS, {
        shadow,
        at: `targets.${index}`,
        rules: { min_margin: minMargin, spend_per_day: cap },
      }),
      ...(dropped.length === 0 ? {} : { droppedSettings: [...new Set(dropped)] }),
      ...(fieldsLike === null ? {} : { fieldsLike }),
      ...(Object.keys(rules).length === 0 ? {} : { rules }),
    }
  })
}

function readCost(
  { cost, minMargin }: { cost: Sent['targets'][number]['cost']; minMargin: string | null },
  at: string,
): Pick<Target, 'cost' | 'minMargin'> {
  if (cost === null) {
    if (minMargin === null) return {}
    throw fieldProblem(
      `${at}.min_margin`,
      `${at}.min_margin must have a cost beside it: without one no margin is known.`,
    )
  }
  const { factor, ...prices } = cost
  const margin = minMargin === null ? {} : { minMargin: readMargin(minMargin, at) }
  if (factor === null) {
    const own = readPrices(prices, `${at}.cost`)
    return own === null ? margin : { cost: { kind: 'prices', prices: own }, ...margin }
  }
  if (Object.values(prices).some((price) => price != null)) {
    throw fieldProblem(
      `${at}.cost.factor`,
      `${at}.cost.factor must stand without other prices: either a factor or own prices.`,
    )
  }
  return { cost: { kind: 'factor', factor: readFactor(factor, `${at}.cost.factor`) }, ...margin }
}

function readFactor(text: string, field: string): PartsPerMillion {
  const factor = parseMultiplier(text)
  const { most } = BOUNDS.target.cost_factor
  if (factor <= most) return factor
  throw fieldProblem(field, `${field} must be at most ${formatMultiplier(most)}.`)
}

function readMargin(text: string, at: string): PartsPerMillion {
  const margin = parseMultiplier(text)
  if (isMargin(margin)) return margin
  throw fieldProblem(`${at}.min_margin`, `${at}.min_margin ${mustBe(MARGIN_FORM)}.`)
}

function readGroups(
  names: readonly string[],
  { catalogue, at }: { catalogue: Catalogue; at: string },
): Pick<Target, 'groupIds'> {
  if (names.length === 0) return {}
  const idByName = new Map(catalogue.groups.map(({ id, name }) => [name, id]))
  const groupIds = [...new Set(names)].map((name, i) => {
    const id = idByName.get(name)
    if (id === undefined)
      throw fieldProblem(`${at}.${i}`, `${at}.${i} must name a group that exists: add the group first.`)
    return id
  })
  return { groupIds }
}

/** Throws Problem `field_invalid` when a group's multiplier makes the model dearer than any request can be charged. */
export function requireChargeableModel(model: Model, { groups }: Catalogue): void {
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
export function requireUsableTargets(after: Model, before: Model | null, catalogue: Catalogue): void {
  const objectionsOf = (model: Model) =>
    objectionsToTargets({ ...model, endpoints: writtenServing(model).endpoints }, catalogue)
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
      !canCarryAny(writtenServing(model).endpoints, after.protocol),
  )
  if (stranded === undefined) return
  throw fieldProblem(
    'protocol',
    `protocol must be one that can carry an endpoint of the model "${stranded.name}", which has a target here.`,
  )
}

const MOST = formatUsd(DEAREST_PRICE)
const MOST_OF_ONE = formatUsd(DEAREST_UNIT)
