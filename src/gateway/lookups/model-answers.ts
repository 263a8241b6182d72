import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import { formatUsd, type NanoUsd, type PartsPerMillion } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import { priceAfter, priceOfOne } from '../../core/prices.ts'
import { rulesOnWire, tierOnWire } from '../../metering/prices/prices-on-wire.ts'
import type { WireFamily } from '../../core/wire.ts'
import { type ModelListEntry, writeModel, writeModelList } from '../../protocols/model-list.ts'
import { type CallableModel, callableModels } from '../../entitlement/callable-models.ts'
import { wiresIn } from '../../entitlement/catalogue.ts'
import { kindOf } from '../../routing/model-kind.ts'
import { nearNames } from '../../core/near-names.ts'
import type { Snapshot } from '../snapshot.ts'

/** The body for `GET /v1/models` and `GET /v1/models/{id}`: exactly what this key can call now. Throws Fault `model_unknown`. */
export function answerModels(
  route: { readonly kind: 'models' } | { readonly kind: 'model'; readonly name: string },
  context: { caller: KeyWithOwner; snapshot: Snapshot; family: WireFamily; query: URLSearchParams; nowMs: number },
): Buffer {
  const { family, snapshot, query } = context
  const callable = callableModels(context.caller, { catalogue: snapshot, nowMs: context.nowMs })
  if (route.kind === 'models') {
    return writeModelList(
      family,
      callable.map((each) => listed(each, snapshot)),
      query,
    )
  }
  const found = callable.find((each) => each.model.name === route.name)
  if (found !== undefined) return writeModel(family, listed(found, snapshot))
  const near = nearNames(
    route.name,
    callable.map((each) => each.model.name),
  )
  const advice =
    near.length === 0 ? 'See GET /v1/models.' : `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
  throw new Fault('model_unknown', `This API key cannot call a model with that name. ${advice}`, { param: 'model' })
}

function listed({ model, group, prices }: CallableModel, snapshot: Snapshot): ModelListEntry {
  return {
    id: model.name,
    createdAtMs: model.createdAt,
    ownedBy: 'tollgate',
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    kind: kindOf(model).kind,
    pricing: pricing(prices, group.multiplier),
    supportedProtocols: wiresIn(model, snapshot, group),
  }
}

function pricing(prices: ModelPrices, multiplier: PartsPerMillion): ModelListEntry['pricing'] {
  const after = (price: NanoUsd) => formatUsd(priceAfter(price, multiplier))
  const where = (name: string, price: NanoUsd | null) => (price === null ? {} : { [name]: after(price) })
  const whereOne = (name: string, price: NanoUsd | null) =>
    price === null ? {} : { [name]: formatUsd(priceOfOne(price, multiplier)) }
  return {
    ...tierOnWire(prices, multiplier),
    ...whereOne('per_request', prices.units?.request ?? null),
    ...whereOne('per_image', prices.units?.image ?? null),
    ...whereOne('per_second', prices.units?.second ?? null),
    ...where('per_million_characters', prices.units?.character ?? null),
    ...rulesOnWire(prices, multiplier),
  }
}
