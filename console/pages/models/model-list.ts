import type { ModelView, PricesView } from '../../../src/contract/models.ts'
import type { TrafficOfModel } from '../../api/models.ts'
import { nanoOf } from '../../format/decimal.ts'
import type { Sort } from '../../table/table-search.ts'
import { CHAT_WIRES } from '../../format/wire-names.ts'

/** What a group asks for a model. */
export interface Offer {
  readonly group: string
  readonly multiplier: string
  readonly price: PricesView
}

export interface ListedModel {
  readonly model: ModelView
  /** The offer of the chosen group, else the cheapest of all that the reader may use; null: there is none. */
  readonly offer: Offer | null
  /** What is known of it from requests; null: not yet read. */
  readonly traffic: TrafficOfModel | null
  /** Why it cannot be called; null: it can. */
  readonly obstacle: 'no_price' | 'no_target' | 'in_no_group' | null
}

export interface ModelListChoice {
  /** Part of the name. */
  readonly search: string
  readonly filters: Readonly<Record<string, string>>
  readonly sort: Sort
}

/** The models that fit, sorted; those that cannot be called come last, whatever the order. */
export function listedModels(
  models: readonly ModelView[],
  { search, filters, sort }: ModelListChoice,
  traffic?: ReadonlyMap<string, TrafficOfModel>,
): readonly ListedModel[] {
  const { group, kind, ability, protocol, context, price } = filters
  const words = search.toLowerCase().split(/\s+/)
  return models
    .filter(
      (model) =>
        words.every((word) => model.name.toLowerCase().includes(word)) &&
        (group === undefined || model.groups.some(({ name }) => name === group)) &&
        (kind === undefined || model.kind === kind) &&
        (ability === undefined || model.abilities.some((each) => each === ability)) &&
        (protocol === undefined || model.protocols.includes(protocol)),
    )
    .map((model) => ({
      model,
      offer: offerOf(model, group),
      traffic: traffic?.get(model.name) ?? null,
      obstacle: obstacleOf(model),
    }))
    .filter(({ model, offer }) => hasRoom(model, context) && isWithin(offer, price))
    .sort((a, b) => Number(a.obstacle !== null) - Number(b.obstacle !== null) || compared(a, b, sort))
}

/** Sizes that are asked for: of contexts in tokens, at least; of prices in USD for a million tokens of input, at most. */
export const CONTEXTS = ['32000', '128000', '200000', '1000000'] as const
export const PRICES = ['0.5', '1', '3', '10'] as const

function hasRoom({ context_tokens: tokens }: ModelView, least: string | undefined): boolean {
  return least === undefined || (tokens !== null && tokens >= Number(least))
}

/** What has no price for tokens is neither dear nor cheap. */
function isWithin(offer: Offer | null, most: string | undefined): boolean {
  if (most === undefined || !/^\d{1,9}(\.\d{1,9})?$/.test(most)) return true
  const input = offer?.price.input ?? null
  return input !== null && nanoOrder(input, most) <= 0
}

/** The groups that the models are in, with their multipliers, by name. */
export function groupsOf(
  models: readonly ModelView[],
): readonly { readonly name: string; readonly multiplier: string }[] {
  const found = new Map(models.flatMap(({ groups }) => groups.map((group) => [group.name, group.multiplier] as const)))
  return [...found].map(([name, multiplier]) => ({ name, multiplier })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The kinds that there are, as they are listed. */
export function kindsOf(models: readonly ModelView[]): readonly ModelView['kind'][] {
  return [...new Set(models.map(({ kind }) => kind))].sort()
}

const ABILITIES = ['images', 'audio', 'tools'] as const satisfies ModelView['abilities']

/** What some of them take beside text, in one order. */
export function abilitiesOf(models: readonly ModelView[]): readonly ModelView['abilities'][number][] {
  return ABILITIES.filter((ability) => models.some(({ abilities }) => abilities.includes(ability)))
}

export function protocolsOf(models: readonly ModelView[]): readonly string[] {
  return [...new Set(models.flatMap(({ protocols }) => protocols))].sort()
}

const MOST_SHOWN = 3

/**
 * A model's protocols as there is room for them in a row: most models speak all that chat clients speak, which is said once.
 * `more`: how many are neither said nor shown.
 */
export function protocolsInShort(protocols: readonly string[]): {
  readonly isEveryChat: boolean
  readonly shown: readonly string[]
  readonly more: number
} {
  const isEveryChat = CHAT_WIRES.every((name) => protocols.includes(name))
  const rest = isEveryChat ? protocols.filter((name) => !CHAT_WIRES.includes(name)) : protocols
  const most = isEveryChat ? 1 : MOST_SHOWN
  // One badge of many would look like the one that counts.
  const shown = isEveryChat && rest.length > most ? [] : rest.slice(0, most)
  return { isEveryChat, shown, more: rest.length - shown.length }
}

function offerOf(model: ModelView, group: string | undefined): Offer | null {
  const offers = model.groups.flatMap(({ name, multiplier, price }) =>
    price !== null && (group === undefined || name === group) ? [{ group: name, multiplier, price }] : [],
  )
  return offers.reduce<Offer | null>(
    (best, offer) => (best === null || priceOrder(offer.price, best.price) < 0 ? offer : best),
    null,
  )
}

function obstacleOf(model: ModelView): ListedModel['obstacle'] {
  if (model.price === null) return 'no_price'
  if (!model.available) return 'no_target'
  return model.groups.length === 0 ? 'in_no_group' : null
}

function compared(a: ListedModel, b: ListedModel, { by, order }: Sort): number {
  const sign = order === 'asc' ? 1 : -1
  return sign * byField(a, b, by) || (a.model.name < b.model.name ? -1 : 1)
}

function byField(a: ListedModel, b: ListedModel, by: string): number {
  if (by === 'use') return (a.traffic?.requests ?? 0) - (b.traffic?.requests ?? 0)
  if (by === 'context') return (a.model.context_tokens ?? 0) - (b.model.context_tokens ?? 0)
  if (by === 'input' || by === 'output') return nanoOrder(a.offer?.price[by] ?? '0', b.offer?.price[by] ?? '0')
  return a.model.name < b.model.name ? -1 : a.model.name > b.model.name ? 1 : 0
}

/** Input counts as three parts of four: conversations send far more than they get. Of units, all that have a price. */
function priceOrder(a: PricesView, b: PricesView): number {
  const nano = (amount: string | null): bigint => nanoOf(amount ?? '0')
  const units = (price: PricesView): bigint =>
    nano(price.per_request) + nano(price.per_image) + nano(price.per_second) + nano(price.per_million_characters)
  const whole = (price: PricesView): bigint => 3n * nano(price.input) + nano(price.output) + units(price)
  return whole(a) < whole(b) ? -1 : whole(a) > whole(b) ? 1 : 0
}

function nanoOrder(a: string, b: string): number {
  const [left, right] = [nanoOf(a), nanoOf(b)]
  return left < right ? -1 : left > right ? 1 : 0
}
