import type { z } from '@hono/zod-openapi'
import { type Changes, changesBetween } from '../../access/audit.ts'
import type { modelPatch } from '../../contract/models.ts'
import type { IdPrefix } from '../../core/ids.ts'
import { dearestBeyondBound } from '../../metering/prices/price-bounds.ts'
import { groupServes } from '../../access/group.ts'
import { type Model, type ScheduledPrice, withScheduled } from '../../routing/catalog.ts'
import { fieldProblem } from '../api/problem.ts'
import { type Catalogue, readCatalogue } from '../keys/catalogue.ts'
import type { ControlStores } from '../parts.ts'
import { actorId, type Actor } from '../who/actor.ts'
import { modelSettings } from '../views/model-view.ts'
import { readPrices } from './model-settings.ts'

type Sent = z.output<typeof modelPatch>

/** Fields that a change to come may set. */
const OF_PLANS: readonly string[] = ['price', 'context_tokens', 'max_output_tokens', 'import_id', 'effective_at']
const FURTHEST_MS = 366 * 86_400_000

/**
 * The change of a model's price to come that a request plans; null: it plans none. Throws Problem `field_invalid` for a time that
 * is over or more than a year away, without a price, and for other fields beside it.
 */
export function plannedIn(body: Sent, { actor, nowMs }: { actor: Actor; nowMs: number }): ScheduledPrice | null {
  const { effective_at: at, price, context_tokens: context, max_output_tokens: output, import_id: importId } = body
  if (at === undefined) return null
  const other = Object.keys(body).find((field) => !OF_PLANS.includes(field))
  if (other !== undefined) {
    throw fieldProblem(
      other,
      `${other} cannot be sent with effective_at: only a price and the limits of tokens can be planned.`,
    )
  }
  const effectiveAt = Date.parse(at)
  if (effectiveAt <= nowMs) throw fieldProblem('effective_at', 'effective_at is over: choose a time to come.')
  if (effectiveAt > nowMs + FURTHEST_MS) throw fieldProblem('effective_at', 'effective_at is more than a year away.')
  if (price === undefined)
    throw fieldProblem('price', 'price is needed with effective_at; null: the model is not served from then on.')
  return {
    effectiveAt,
    prices: readPrices(price),
    ...(context === undefined ? {} : { contextTokens: context }),
    ...(output === undefined ? {} : { maxOutputTokens: output }),
    ...(importId === undefined ? {} : { importId }),
    by: actorId(actor),
  }
}

/** What the audit has of an edit of a model. What is planned is audited as an import when it takes effect. */
export function modelEditNote(changes: Changes, { import_id: importId, effective_at: at }: Sent) {
  if (importId === undefined || at !== undefined) return { action: 'model.update', changes }
  return { action: 'model.import', changes: withImport(changes, importId) }
}

function withImport(changes: Changes, importId: string): Changes {
  return { ...changes, import_id: { before: null, after: importId } }
}

/** Of a model whose change was planned; `kept`: at that price a group's multiplier would make it too dear, so its price stays. */
export interface TakenEffect {
  readonly model: string
  readonly outcome: 'set' | 'kept'
}

/**
 * Sets what was planned for `ids` and is due, each with its audit entry in one transaction, by whoever planned it. Of all nodes
 * that do so at once, one does.
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
