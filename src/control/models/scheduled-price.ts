import type { z } from '@hono/zod-openapi'
import type { AuditNote, Changes } from '../../access/audit.ts'
import type { modelPatch } from '../../contract/models.ts'
import type { ScheduledPrice } from '../../routing/catalog.ts'
import { fieldProblem } from '../problem.ts'
import { actorId, type Actor } from '../who/actor.ts'
import { readPrices } from './model-settings.ts'

type ModelChange = z.output<typeof modelPatch>

/** Fields that a change to come may set. */
const OF_PLANS: readonly string[] = [
  'price',
  'context_tokens',
  'max_output_tokens',
  'import_id',
  'import_source',
  'effective_at',
]
const FURTHEST_MS = 366 * 86_400_000

/**
 * The change of a model's price to come that a request plans; null: it plans none. Throws Problem `field_invalid` for a time that
 * is over or more than a year away, without a price, and for other fields beside it.
 */
export function plannedIn(body: ModelChange, { actor, nowMs }: { actor: Actor; nowMs: number }): ScheduledPrice | null {
  const {
    effective_at: at,
    price,
    context_tokens: context,
    max_output_tokens: output,
    import_id: importId,
    import_source: importSource,
  } = body
  if (at === undefined) return null
  const other = Object.keys(body).find((field) => !OF_PLANS.includes(field))
  if (other !== undefined) {
    throw fieldProblem(
      other,
      `${other} cannot be sent with effective_at: only a price and the limits of tokens can be planned.`,
    )
  }
  const effectiveAt = Date.parse(at)
  if (effectiveAt <= nowMs) throw fieldProblem('effective_at', 'effective_at must be in the future.')
  if (effectiveAt > nowMs + FURTHEST_MS) throw fieldProblem('effective_at', 'effective_at must be within a year.')
  if (price === undefined)
    throw fieldProblem('price', 'price is needed with effective_at; null: the model is not served from then on.')
  return {
    effectiveAt,
    prices: readPrices(price),
    ...(context === undefined ? {} : { contextTokens: context }),
    ...(output === undefined ? {} : { maxOutputTokens: output }),
    ...(importId === undefined ? {} : { importId }),
    ...(importSource === undefined ? {} : { importSource }),
    by: actorId(actor),
  }
}

/** What the audit has of an edit of a model. What is planned is audited as an import when it takes effect. */
export function modelEditNote(changes: Changes, sent: ModelChange): Pick<AuditNote, 'action' | 'changes'> {
  const { import_id: importId, import_source: source, effective_at: at } = sent
  if (importId === undefined || at !== undefined) return { action: 'model.update', changes }
  const ofImport = {
    import_id: { before: null, after: importId },
    ...(source === undefined ? {} : { import_source: { before: null, after: source } }),
  }
  return { action: 'model.import', changes: { ...changes, ...ofImport } }
}
