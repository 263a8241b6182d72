import type { ImportNotes } from '../import-plan.ts'
import { isSetValue } from '../set-values.ts'
import { entriesOf, integerIn, isTrueIn, jsonIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import { fits, isPattern, type NameMap, nameMap, priceKey } from './model-names.ts'

/** Columns of USD for a token, by the kind of token here. */
export const TOKEN_COLUMNS = {
  input_price: 'input',
  output_price: 'output',
  cache_read_price: 'cache_read',
  cache_write_price: 'cache_write',
} as const
const TOKEN_PRICES = Object.keys(TOKEN_COLUMNS)
const MULTIPLIERS = ['input_multiplier', 'output_multiplier', 'cache_read_multiplier', 'cache_write_multiplier']
const CARD_COLUMNS = words(
  'channel_id platform models billing_mode per_request_price image_input_price image_output_price',
  'fast_multiplier flex_multiplier time_pricing',
  ...TOKEN_PRICES,
)
const INTERVAL_PRICES = ['per_request_price', ...TOKEN_PRICES, ...MULTIPLIERS]
const INTERVAL_COLUMNS = ['pricing_id', 'min_tokens', 'max_tokens', ...INTERVAL_PRICES]

/** One price of a channel or group, for the models that it names, which may be patterns. */
export interface PriceCard {
  /** The id of the channel's table; null: the group has it itself. */
  readonly id: string | null
  readonly names: readonly string[]
  /** null: from before they were apart. */
  readonly platform: string | null
  readonly row: Row
  /** Intervals by their least tokens; those without any price are left out, as they are there. */
  readonly intervals: readonly Row[]
}

export interface PricedChannel {
  readonly id: string
  /** The name that counts: `channel_mapped`, `requested`, `upstream` or `response_model`. */
  readonly billedBy: string
  /** Only models that it prices may be called. */
  readonly restricts: boolean
  readonly cards: readonly PriceCard[]
  /** The channel's names for the accounts of a platform. */
  namesFor(platform: string): NameMap
}

export interface PricedChannels {
  /** The channel that prices what a group is asked for; a group is in one at most. */
  ofGroup(groupId: string): PricedChannel | undefined
  /** Every model that one of them prices. */
  readonly names: readonly string[]
}

export async function readChannels(source: SourceReader, notes: ImportNotes): Promise<PricedChannels> {
  const cards = await readCards(source)
  const channels = new Map<string, PricedChannel>()
  const columns = ['name', 'status', 'model_mapping', 'billing_model_source', 'restrict_models']
  for await (const row of source.rows('channels', columns)) {
    const id = textIn(row, 'id')
    if (textIn(row, 'status') !== 'active') {
      notes.note('channels', id, 'are not active: their prices do not count there, and are not carried')
      continue
    }
    const channel = channelOf(row, cards.get(id) ?? [])
    if (channel.billedBy === 'response_model')
      notes.note('channels', id, 'charge by the model that an answer names; here by the one that was asked for')
    channels.set(id, channel)
  }
  const byGroup = new Map<string, PricedChannel>()
  for await (const row of source.rows('channel_groups', ['channel_id', 'group_id'])) {
    const channel = channels.get(textIn(row, 'channel_id'))
    if (channel !== undefined) byGroup.set(textIn(row, 'group_id'), channel)
  }
  for (const { id } of channels.values()) {
    if (![...byGroup.values()].some((each) => each.id === id))
      notes.note('channels', id, 'price no group: their prices count nowhere there, and are not carried')
  }
  const priced = [...new Set(byGroup.values())].flatMap((channel) => channel.cards.flatMap((card) => card.names))
  return { ofGroup: (groupId) => byGroup.get(groupId), names: priced.filter((name) => !isPattern(name)) }
}

function channelOf(row: Row, cards: readonly PriceCard[]): PricedChannel {
  const maps = entriesOf(jsonIn(row, 'model_mapping'))
  // Before channels had several platforms, all of their prices and names were Anthropic's.
  const isFlat = maps.some(([, to]) => typeof to === 'string')
  const byPlatform = new Map(
    isFlat
      ? [['anthropic', nameMap(maps)] as const]
      : maps.map(([platform, map]) => [platform, nameMap(entriesOf(map))] as const),
  )
  return {
    id: textIn(row, 'id'),
    billedBy: textIn(row, 'billing_model_source') || 'channel_mapped',
    restricts: isTrueIn(row, 'restrict_models'),
    cards,
    namesFor: (platform) => byPlatform.get(platform) ?? [],
  }
}

/** Reads price cards by channel. */
async function readCards(source: SourceReader): Promise<ReadonlyMap<string, readonly PriceCard[]>> {
  const intervals = new Map<string, Row[]>()
  for await (const row of source.rows('channel_pricing_intervals', INTERVAL_COLUMNS)) {
    const id = textIn(row, 'pricing_id')
    intervals.set(id, [...(intervals.get(id) ?? []), row])
  }
  const cards = new Map<string, PriceCard[]>()
  for await (const row of source.rows('channel_model_pricing', CARD_COLUMNS)) {
    const id = textIn(row, 'id')
    const channel = textIn(row, 'channel_id')
    const card = { id, ...cardOf(row, jsonIn(row, 'models'), intervals.get(id) ?? []) }
    cards.set(channel, [...(cards.get(channel) ?? []), card])
  }
  return cards
}

/** The prices that a group has of its own, which come before its channel's. Intervals in them do not count there. */
export function ownCards(group: Row): readonly PriceCard[] {
  const entries = jsonIn(group, 'model_pricing')
  if (!Array.isArray(entries)) return []
  return entries.map(entriesOf).map((entry) => {
    const row = rowOf(entry)
    const isOfTokens = !['per_request', 'image', 'video'].includes(textIn(row, 'billing_mode'))
    const intervals = new Map(entry).get('intervals')
    const tiers = isOfTokens || !Array.isArray(intervals) ? [] : intervals.map((tier) => rowOf(entriesOf(tier)))
    return { id: null, ...cardOf(row, new Map(entry).get('models'), tiers), platform: null }
  })
}

function rowOf(entries: readonly (readonly [string, unknown])[]): Row {
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]))
}

function cardOf(row: Row, models: unknown, intervals: readonly Row[]): Omit<PriceCard, 'id'> {
  return {
    names: Array.isArray(models) ? models.map(String) : [],
    platform: row['platform'] ?? null,
    row,
    intervals: intervals
      .filter((interval) => INTERVAL_PRICES.some((column) => interval[column] != null))
      .toSorted((a, b) => Number((integerIn(a, 'min_tokens') ?? 0n) - (integerIn(b, 'min_tokens') ?? 0n))),
  }
}

function textOf(value: unknown): string | null {
  if (typeof value === 'object' && value !== null) return isSetValue(value) ? JSON.stringify(value) : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** The price of a model among these: under its own name, else by the first pattern. */
export function cardFor(cards: readonly PriceCard[], platform: string, name: string): PriceCard | undefined {
  const key = priceKey(name)
  const there = cards.filter((card) => card.platform === null || card.platform === platform)
  return (
    there.find((card) => card.names.some((each) => !isPattern(each) && priceKey(each) === key)) ??
    there.find((card) => card.names.some((each) => isPattern(each) && fits(priceKey(each), key)))
  )
}

/** Names that have a price of their own, without the patterns. */
export function namesOf(cards: readonly PriceCard[], platform: string): readonly string[] {
  return cards
    .filter((card) => card.platform === null || card.platform === platform)
    .flatMap((card) => card.names.filter((name) => !isPattern(name)))
}
