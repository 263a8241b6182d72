import type { ImportNotes } from '../import-plan.ts'
import { rational, times } from '../rational.ts'
import type { Row } from '../source.ts'
import { cardFor, ownCards, type PriceCard, type PricedChannels } from './channel-tables.ts'
import { platformOf } from './platforms.ts'
import type { Sub2apiList } from './price-list.ts'
import { priceOfCard, priceOfList, type SourcePrice } from './prices.ts'

/** A model as an account serves it to a group, and the names by which the source looks for its price, one after the other. */
export interface ChargedModel {
  readonly groupId: string
  readonly platform: string
  readonly names: readonly string[]
  /** A name that counts only where it has a price of its own; null: none. */
  readonly alias: string | null
  readonly isLong: boolean
}

/**
 * Returns what a group is charged for a model: by the first name that has a price, which is the group's own, else its channel's,
 * else the list's. null: the source says none that can be carried.
 */
export function chargedPrices(about: {
  readonly groups: ReadonlyMap<string, Row>
  readonly channels: PricedChannels
  readonly list: Sub2apiList
  readonly notes: ImportNotes
}): (model: string, charged: ChargedModel) => SourcePrice | null {
  const { groups, channels, list, notes } = about
  const cards = new Map<string, readonly (readonly PriceCard[])[]>()
  const cardsOf = (groupId: string) => {
    const known = cards.get(groupId) ?? [ownCards(groups.get(groupId) ?? {}), channels.ofGroup(groupId)?.cards ?? []]
    cards.set(groupId, known)
    return known
  }
  return (model, { groupId, platform, names, alias, isLong }) => {
    const [own = [], channel = []] = cardsOf(groupId)
    const cardOf = (name: string) => cardFor(own, platform, name) ?? cardFor(channel, platform, name)
    for (const name of alias === null || cardOf(alias) === undefined ? names : [alias]) {
      const asked = { name, platform, isLong }
      const card = cardOf(name)
      if (card !== undefined) return priceOfCard(card, asked, about)
      const listed = list.costOf(name)
      if (listed !== null) {
        if (list.kind === 'catalogue') notes.approximate('catalogue', name)
        const price = priceOfList(listed, asked)
        return platformOf(platform).doublesLong && isLong ? longGemini(price, { name, notes }) : price
      }
      if (list.kind === null && list.isUsual(name)) {
        notes.note('models', model, BY_ITS_LIST)
        return null
      }
    }
    return null
  }
}

/** What is said of models whose price is in no database of the source. */
const BY_ITS_LIST =
  'are priced by sub2api’s own list, which is not in its database: give it with --pricing (model_prices_and_context_window.json, its setting pricing.fallback_file), or take the list that is shipped here with --accept catalogue'

const GEMINI_LONG = 200_000
const TWICE = rational(2n)

/** Google's own protocol is charged twice there for what of the input is above 200,000 tokens. */
function longGemini(price: SourcePrice, { name, notes }: { name: string; notes: ImportNotes }): SourcePrice {
  if (price.amounts.input === undefined || price.tiers.length > 0) return price
  notes.approximate('intervals', name)
  const amounts = Object.fromEntries(
    Object.entries(price.amounts).map(([kind, amount]) => [
      kind,
      DOUBLED.includes(kind) ? times(amount, TWICE) : amount,
    ]),
  )
  return { ...price, tiers: [{ above: GEMINI_LONG, amounts }] }
}

const DOUBLED = ['input', 'cache_read', 'cache_write', 'cache_write_1h', 'image_input', 'audio_input']
