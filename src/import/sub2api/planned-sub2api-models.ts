import type { ModelPrices } from '../../core/price-rules.ts'
import type {
  ImportNotes,
  PlannedGroup,
  PlannedKey,
  PlannedModel,
  PlannedTarget,
  ImportSettings,
} from '../import-plan.ts'
import { planModels } from '../planned-models.ts'
import { nearest, rational, times } from '../rational.ts'
import { textIn } from '../source.ts'
import { WrittenAmounts } from '../written-amounts.ts'
import type { PricedChannels } from './channel-tables.ts'
import { chargedPrices } from './charged-prices.ts'
import { isSamePrice, type PricesByGroup, sharedPrices, type SharedPrices, withFactors } from './group-prices.ts'
import type { Sub2apiGroups } from './groups.ts'
import type { Sub2apiList } from './price-list.ts'
import type { SourcePrice } from './prices.ts'
import type { ServedTarget } from './upstreams.ts'

interface ModelsAbout {
  readonly groups: Sub2apiGroups
  readonly channels: PricedChannels
  readonly list: Sub2apiList
  readonly keys: readonly PlannedKey[]
  readonly settings: ImportSettings
  readonly notes: ImportNotes
}

/** Models with a price and targets for each group that is charged by it, and the groups with what is dearer in them. */
export function planPricedModels(
  served: readonly ServedTarget[],
  about: ModelsAbout,
): { readonly models: readonly PlannedModel[]; readonly groups: readonly PlannedGroup[] } {
  const shared = sharedPrices(pricesByGroup(served, about))
  const { groups, settings, notes } = about
  const isServed = (groupId: string, name: string) => {
    if (!shared.isOther(groupId, name)) return true
    return settings.accepted.has('group-prices') && shared.prices.has(name)
  }
  noteOthers(served, { ...about, shared })
  const written = new Map<string, ModelPrices | null>()
  const models = planModels(targetsOf(served, { groups, isServed }), {
    table: 'accounts',
    notes,
    pricesOf(name) {
      const known = written.get(name) ?? writtenPrices(name, { price: shared.prices.get(name), settings, notes })
      written.set(name, known)
      return known
    },
  })
  return { models, groups: withFactors(groups, { factors: shared.factors, notes }) }
}

/** Groups in which most keys are come first: what they are charged is the price. */
function pricesByGroup(served: readonly ServedTarget[], about: ModelsAbout): PricesByGroup {
  const { groups, keys, notes } = about
  const priceOf = chargedPrices({ ...about, groups: groups.rows })
  const byModel = Map.groupBy(served, (each) => each.served.name)
  const byGroup = new Map<string, Map<string, SourcePrice | null>>()
  for (const [name, all] of byModel) {
    for (const [groupId, inIt] of Map.groupBy(all, (each) => each.served.groupId)) {
      const asked = new Map(
        inIt.map((each) => [JSON.stringify(each.served.names.concat(String(each.served.isLong))), each.served]),
      )
      const [price = null, ...others] = [...asked.values()].map((each) => priceOf(name, each))
      const isOne = others.every((other) => isSamePrice(other, price))
      if (!isOne)
        notes.note(
          'models',
          name,
          'cost there what the account asks that serves them, and accounts ask different prices: not carried',
        )
      byGroup.set(
        groupId,
        (byGroup.get(groupId) ?? new Map<string, SourcePrice | null>()).set(name, isOne ? price : null),
      )
    }
  }
  const keysIn = (id: string) => keys.filter(({ group }) => groups.allOf(id).includes(group)).length
  const order = [...byGroup].map(([id, prices]) => ({ id, prices, keys: keysIn(id) }))
  return new Map(
    order.toSorted((a, b) => b.keys - a.keys || Number(a.id) - Number(b.id)).map(({ id, prices }) => [id, prices]),
  )
}

/** A model whose price in a group is another is not served there, as a call would cost too much or too little. */
function noteOthers(
  served: readonly ServedTarget[],
  { groups, settings, notes, shared }: ModelsAbout & { shared: SharedPrices },
): void {
  for (const [groupId, inIt] of Map.groupBy(served, (each) => each.served.groupId)) {
    const group = textIn(groups.rows.get(groupId) ?? {}, 'name')
    const names = [...new Set(inIt.map((each) => each.served.name))].filter((name) => shared.isOther(groupId, name))
    for (const name of names) {
      const isAccepted = settings.accepted.has('group-prices')
      if (isAccepted) notes.approximate('group-prices', `${name} in ${group}`)
      else notes.note('models', `${name} in ${group}`, OTHER_PRICE)
    }
  }
}

const OTHER_PRICE =
  'are charged otherwise there than in other groups, by more than a multiplier of the group: they are not served in it before that is decided; --accept group-prices serves them at the one price, times the multiplier'

/** One target for each account and name of it there, with all groups that it serves so. */
function targetsOf(
  served: readonly ServedTarget[],
  { groups, isServed }: { groups: Sub2apiGroups; isServed: (groupId: string, name: string) => boolean },
): readonly { readonly name: string; readonly target: PlannedTarget }[] {
  const key = ({ served: { name, model }, target }: ServedTarget) => JSON.stringify([name, target.upstream, model])
  return [...Map.groupBy(served, key).values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const { name, model } = first.served
    const names = all.flatMap(({ served: { groupId } }) => (isServed(groupId, name) ? groups.allOf(groupId) : []))
    return names.length === 0 ? [] : [{ name, target: { ...first.target, model, groups: [...new Set(names)] } }]
  })
}

function writtenPrices(
  name: string,
  { price, settings, notes }: { price: SourcePrice | undefined; settings: ImportSettings; notes: ImportNotes },
): ModelPrices | null {
  if (price === undefined) return null
  const services = Object.fromEntries(
    Object.entries(price.services).map(([service, each]) => [
      service,
      'factor' in each ? { factor: Number(nearest(times(each.factor, rational(1000n)))) / 1000 } : each,
    ]),
  )
  return new WrittenAmounts(name, { settings, notes }).prices(price.amounts, price.tiers, {
    services,
    calls: price.calls,
  })
}
