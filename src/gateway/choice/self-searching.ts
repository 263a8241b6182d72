import { SEARCHING_MODELS } from '../../models/searching-models.ts'
import type { Model } from '../../routing/catalog.ts'

/** Whether a model searches the web for every request, unasked, by what one of its targets calls it. */
export function searchesByItself(model: Pick<Model, 'targets'>): boolean {
  const known = KNOWN.get(model)
  if (known !== undefined) return known
  const searches = model.targets.some((target) => SEARCHING_MODELS.test(target.model.toLowerCase()))
  KNOWN.set(model, searches)
  return searches
}

/** Models stand in a snapshot, and are new in the next one. */
const KNOWN = new WeakMap<object, boolean>()
