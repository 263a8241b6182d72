import { changesBetween } from '../../access/audit.ts'
import { groupServes } from '../../access/group.ts'
import type { IdPrefix } from '../../core/ids.ts'
import { dearestBeyondBound } from '../../metering/prices/price-bounds.ts'
import { type Model, withScheduled } from '../../routing/catalog.ts'
import { type ListedCatalogue, readCatalogue } from '../catalogue.ts'
import { modelEditNote } from '../models/scheduled-price.ts'
import type { ControlStores } from '../parts.ts'
import { modelSettings } from '../views/model-view.ts'

/**
 * The effect on a model whose change was planned. Its price stays where it is `locked` by now against the import that the plan is part of, and
 * where the multiplier of a group would make it `too_dear`.
 */
export interface TakenEffect {
  readonly model: string
  readonly outcome: 'set' | 'locked' | 'too_dear'
}

/**
 * Sets what was planned for `ids` and is due, each with its audit entry in one transaction, in the name of the account that
 * planned it. Of all nodes that try at once, one does.
 */
export async function setDuePrices(
  store: Pick<ControlStores, 'together' | 'catalog' | 'groups'>,
  { ids, nowMs, newId }: { ids: readonly string[]; nowMs: number; newId: (prefix: IdPrefix) => string },
): Promise<readonly TakenEffect[]> {
  const catalogue = await readCatalogue(store)
  const taken: TakenEffect[] = []
  for (const id of ids) {
    const effect = await store.together(async ({ catalog, audit }): Promise<TakenEffect | null> => {
      const answer = await catalog.editModel(id, (before) =>
        isDue(before, nowMs) ? afterPlan(before, catalogue) : before,
      )
      if (answer.kind !== 'edited') return null
      const { before, after } = answer
      if (before.scheduled === undefined || after.scheduled !== undefined) return null
      const outcome = outcomeOf(before, catalogue)
      const { by: actor, importId, importSource } = before.scheduled
      const changes = changesBetween(modelSettings(before, catalogue), modelSettings(after, catalogue))
      const isImport = outcome === 'set' && importId !== undefined
      const note = modelEditNote(changes, isImport ? { import_id: importId, import_source: importSource } : {})
      const about = { subject: id, accountId: null, via: 'none', address: '' } as const
      await audit.write({ ...about, ...note, id: newId('aud'), createdAt: nowMs, actor })
      return { model: before.name, outcome }
    })
    if (effect !== null) taken.push(effect)
  }
  return taken
}

function isDue({ scheduled }: Model, nowMs: number): boolean {
  return scheduled !== undefined && scheduled.effectiveAt <= nowMs
}

function afterPlan(before: Model, catalogue: ListedCatalogue): Model {
  if (outcomeOf(before, catalogue) === 'set') return withScheduled(before)
  const { scheduled: _, ...kept } = before
  return kept
}

/** The price may have been locked, and a group's multiplier raised, since it was planned. */
function outcomeOf(before: Model, catalogue: ListedCatalogue): TakenEffect['outcome'] {
  if (before.isPriceLocked === true && before.scheduled?.importId !== undefined) return 'locked'
  return isTooDear(withScheduled(before), catalogue) ? 'too_dear' : 'set'
}

function isTooDear(model: Model, { groups }: ListedCatalogue): boolean {
  const serving = groups.filter((group) => groupServes(group, model.name))
  return serving.some((group) => dearestBeyondBound(group.multiplier, [model]) !== null)
}
