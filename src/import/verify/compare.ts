import { formatUsd, type NanoUsd, nanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { minus, nearest, rational } from '../rational.ts'
import { type SaidCharge, type SaidPrices, FIXED_USAGES, countsOf, type FixedUsage } from './source-word.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'
import type { ImportPlan, PlannedKey, PlannedModel } from '../import-plan.ts'

const NAMES_SHOWN = 20

/** What of two lists is in one alone, a sentence each. */
export function differingNames(there: ReadonlySet<string>, here: ReadonlySet<string>): readonly string[] {
  const lacking = [...there].filter((name) => !here.has(name)).sort()
  const added = [...here].filter((name) => !there.has(name)).sort()
  return [
    ...(lacking.length === 0 ? [] : [`there and not here: ${shownNames(lacking)}`]),
    ...(added.length === 0 ? [] : [`here and not there: ${shownNames(added)}`]),
  ]
}

export function shownNames(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** What a model costs there and here, where that is not the same. `isSaid`: the source says a price of it at all. */
export function differingPrice(
  { model, group }: { readonly model: string; readonly group: string },
  { here, said }: { readonly here: PlanHere; readonly said: SaidPrices },
): { readonly isSaid: boolean; readonly sentence: string | null } {
  let isSaid = false
  const parts = FIXED_USAGES.flatMap((usage) => {
    const charges = said.chargesOf(model, group, usage) ?? []
    if (charges.length > 0) isSaid = true
    const other = charges.flatMap((charge) => {
      const own = here.charge(model, usage, charge.isMultiplied ? group : null)
      return own === null || isNear(own, charge) ? [] : [partOf(usage.name, own, charge)]
    })
    return other.slice(0, 1)
  })
  return { isSaid, sentence: parts.length === 0 ? null : parts.join('; ') }
}

/** Each rounds once: the source to its unit, and this gateway up to one nano-USD. */
function isNear(own: NanoUsd, { nano, unit }: SaidCharge): boolean {
  const { over, under } = minus(rational(own), nano)
  return (over < 0n ? -over : over) <= (unit + 1n) * under
}

function partOf(name: string, own: NanoUsd, { nano, isMultiplied }: SaidCharge): string {
  const there = nanoUsd(nearest(nano))
  const apart = own - there
  const plain = isMultiplied ? '' : ', without a multiplier'
  return `${name} here $${formatUsd(own)}, there $${formatUsd(there)} (${apart > 0n ? '+' : '-'}$${formatUsd(nanoUsd(apart > 0n ? apart : -apart))}${plain})`
}

/** What a plan will let keys call, and charge them. */
export class PlanHere {
  readonly #models: ReadonlyMap<string, PlannedModel>
  readonly #multipliers: ReadonlyMap<string, PartsPerMillion>
  /** Models that an upstream with a working credential serves, by group. */
  readonly #served = new Map<string, Set<string>>()

  constructor({ models, groups, upstreams }: Pick<ImportPlan, 'models' | 'groups' | 'upstreams'>) {
    this.#models = new Map(models.map((model) => [model.name, model]))
    this.#multipliers = new Map(groups.map(({ name, multiplier }) => [name, multiplier]))
    const working = new Set(
      upstreams
        .filter(({ credentials }) => credentials.length === 0 || credentials.some(({ isDisabled }) => !isDisabled))
        .map(({ name }) => name),
    )
    const enabled = new Set(groups.filter(({ isEnabled }) => isEnabled).map(({ name }) => name))
    for (const { name, prices, targets } of models) {
      if (prices === null) continue
      const groupsOfIt = targets.flatMap((target) => (working.has(target.upstream) ? target.groups : []))
      for (const group of groupsOfIt.filter((each) => enabled.has(each)))
        this.#served.set(group, (this.#served.get(group) ?? new Set<string>()).add(name))
    }
  }

  /** The models that a key may call, each with the group that it is called in. */
  modelsOf({ group, fallbackGroups, allowedModels }: PlannedKey): ReadonlyMap<string, string> {
    const allowed = new Set(allowedModels)
    const models = new Map<string, string>()
    for (const each of [group, ...fallbackGroups]) {
      for (const name of this.#served.get(each) ?? []) {
        if ((allowed.size === 0 || allowed.has(name)) && !models.has(name)) models.set(name, each)
      }
    }
    return models
  }

  /** All models that are served in a group. */
  modelsIn(group: string): ReadonlySet<string> {
    return this.#served.get(group) ?? new Set()
  }

  charge(name: string, usage: FixedUsage, group: string | null): NanoUsd | null {
    const prices = this.#models.get(name)?.prices ?? null
    if (prices === null) return null
    const counts = countsOf(usage)
    const applied = appliedPrices(prices, counts, { asked: NO_TERMS, named: NO_TERMS })
    return costOf(counts, applied.prices, group === null ? ONE_PPM : (this.#multipliers.get(group) ?? ONE_PPM))
  }
}
