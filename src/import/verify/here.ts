import { type NanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'
import type { ImportPlan, PlannedKey, PlannedModel } from '../import-plan.ts'
import { countsOf, type FixedUsage } from './source-word.ts'

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
