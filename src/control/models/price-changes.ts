/** Who set the price that a model has, when and by what, as far as the audit says. */
import { isDeepStrictEqual } from 'node:util'
import type { AuditStore, NamedEntry } from '../../access/audit.ts'
import type { ModelView } from '../../contract/models.ts'
import { ONE_PPM } from '../../core/money.ts'
import type { Model } from '../../routing/catalog.ts'
import { auditEntryView } from '../views/audit-entry-view.ts'
import { type PriceChanges, pricesOrNull } from '../views/model-view.ts'

type PriceChanged = NonNullable<ModelView['price_changed']>

const ACTIONS = ['model.create', 'model.update', 'model.import'] as const

/**
 * Price changes in one query for all of `models`. Not in the answer is one that the declarative file manages, and one that was priced by an
 * import from another gateway, or too long ago. A change whose outcome is not the price of now is left out: another one was set since.
 */
export async function lastPriceChanges(
  audit: Pick<AuditStore, 'lastChangesOf'>,
  models: readonly Pick<Model, 'id' | 'prices' | 'isManaged'>[],
): Promise<PriceChanges> {
  const own = models.filter(({ isManaged }) => !isManaged)
  const entries = await audit.lastChangesOf(
    'price',
    own.map(({ id }) => id),
  )
  const changes = new Map<string, PriceChanged>()
  for (const { id, prices } of own) {
    const entry = entries.get(id)
    const action = ACTIONS.find((each) => each === entry?.action)
    if (entry === undefined || action === undefined) continue
    const set = entry.changes['price']?.after ?? null
    if (isDeepStrictEqual(written(set), written(pricesOrNull(prices, ONE_PPM)))) changes.set(id, viewOf(entry, action))
  }
  return changes
}

function viewOf(entry: NamedEntry, action: PriceChanged['action']): PriceChanged {
  const { created_at, actor, actor_email, via } = auditEntryView(entry)
  const source = entry.changes['import_source']?.after
  return { created_at, actor, actor_email, via, action, import_source: typeof source === 'string' ? source : null }
}

/** A price without what is not set: a version before knew fewer kinds of prices. */
function written(price: unknown): unknown {
  if (Array.isArray(price)) return price.map(written)
  if (typeof price !== 'object' || price === null) return price
  const parts = Object.entries(price).map(([name, part]) => [name, written(part)] as const)
  return Object.fromEntries(parts.filter(([, part]) => !isNothing(part)))
}

function isNothing(part: unknown): boolean {
  return part == null || (typeof part === 'object' && Object.keys(part).length === 0)
}
