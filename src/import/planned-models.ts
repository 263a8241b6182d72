import type { ImportNotes, PlannedModel, PlannedTarget } from './import-plan.ts'
import { MODEL_NAME } from '../core/model-name.ts'
import type { ModelPrices } from '../core/price-rules.ts'

const LONGEST_NAME = 200
/** What is said of models that cannot be sold. */
export const NO_PRICE = 'have no price, and are not served before one is set'

/** Models by the names under which they are served, each with its targets; `pricesOf` says what each costs. */
export function planModels(
  served: readonly { readonly name: string; readonly target: PlannedTarget }[],
  { table, pricesOf, notes }: { table: string; pricesOf: (name: string) => ModelPrices | null; notes: ImportNotes },
): readonly PlannedModel[] {
  const targets = new Map<string, PlannedTarget[]>()
  for (const { name, target } of served) targets.set(name, [...(targets.get(name) ?? []), target])
  return [...targets].flatMap(([name, list]) => {
    if (!MODEL_NAME.test(name) || name.length > LONGEST_NAME) {
      notes.note(table, name, 'are names that stand for several models, or that no model can have: not carried')
      return []
    }
    const prices = pricesOf(name)
    if (prices === null) notes.note('models', name, NO_PRICE)
    return [{ name, prices, targets: weighted(list) }]
  })
}

/** Prices of the source that come to nothing here. */
export function noteUnserved(
  priced: Iterable<string>,
  { models, notes }: { readonly models: readonly Pick<PlannedModel, 'name'>[]; readonly notes: ImportNotes },
): void {
  const served = new Set(models.map(({ name }) => name))
  for (const name of new Set(priced)) {
    if (!served.has(name)) notes.note('models', name, 'have a price there, and no channel serves them: not carried')
  }
}

/** Where nothing of a tier has a weight, all of it is drawn alike. */
function weighted(targets: readonly PlannedTarget[]): readonly PlannedTarget[] {
  return targets.map((target) => {
    const tier = targets.filter(({ priority }) => priority === target.priority)
    return tier.every(({ weight }) => weight === 0) ? { ...target, weight: 1 } : target
  })
}
