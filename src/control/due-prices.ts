import { changesBetween } from '../access/audit.ts'
import { groupServes } from '../access/group.ts'
import type { IdPrefix } from '../core/ids.ts'
import { dearestBeyondBound } from '../metering/prices/price-bounds.ts'
import { type Model, withScheduled } from '../routing/catalog.ts'
import { type Catalogue, readCatalogue } from './keys/catalogue.ts'
import { modelEditNote } from './models/scheduled-price.ts'
import type { ControlStores } from './parts.ts'
import { modelSettings } from './views/model-view.ts'

/** Of a model whose change was planned; `kept`: at that price a group's multiplier would make it too dear, so its price stays. */
export interface TakenEffect {
  readonly model: string
  readonly outcome: 'set' | 'kept'
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
    const effect = await store.together(async ({ catalog, audit }) => {
      const answer = await catalog.editModel(id, (before) =>
        isDue(before, nowMs) ? afterPlan(before, catalogue) : before,
      )
      if (answer.kind !== 'edited' || answer.before.scheduled === undefined || answer.after.scheduled !== undefined)
        return null
      const { scheduled, name } = answer.before
      const changes = changesBetween(modelSettings(answer.before, catalogue), modelSettings(answer.after, catalogue))
      await audit.write({
        id: newId('aud'),
        createdAt: nowMs,
        actor: scheduled.by,
        via: 'none',
        address: '',
        subject: id,
        accountId: null,
        ...modelEditNote(changes, scheduled.importId === undefined ? {} : { import_id: scheduled.importId }),
      })
      return { model: name, outcome: isTooDear(withScheduled(answer.before), catalogue) ? 'kept' : 'set' } as const
    })
    if (effect !== null) taken.push(effect)
  }
  return taken
}

function isDue({ scheduled }: Model, nowMs: number): boolean {
  return scheduled !== undefined && scheduled.effectiveAt <= nowMs
}

/** A group's multiplier may have been raised since it was planned. */
function afterPlan(before: Model, catalogue: Catalogue): Model {
  const after = withScheduled(before)
  if (!isTooDear(after, catalogue)) return after
  const { scheduled: _, ...kept } = before
  return kept
}

function isTooDear(model: Model, { groups }: Catalogue): boolean {
  const serving = groups.filter((group) => groupServes(group, model.name))
  return serving.some((group) => dearestBeyondBound(group.multiplier, [model]) !== null)
}
