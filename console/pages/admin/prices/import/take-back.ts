import type { AuditEntryView } from '../../../../../src/contract/administration.ts'
import type { ModelView } from '../../../../../src/contract/models.ts'
import type { ImportedFields } from '../../../../api/price-admin.ts'
import { isSame } from './compare-prices.ts'

/** What an import changed of one model: all of each field, before and after. */
export interface ImportedModel {
  readonly id: string
  readonly name: string
  readonly before: ImportedFields
  readonly after: ImportedFields
}

/** Edits that were saved as one import, newest first. */
export interface PastImport {
  readonly id: string
  /** The time of its first edit. */
  readonly at: string
  readonly by: string
  readonly models: readonly ImportedModel[]
}

const FIELDS = ['price', 'context_tokens', 'max_output_tokens'] as const

/** Why a model is left as it is. `changed`: since the import. `limits`: the role may change prices alone. */
export class NotTakenBack extends Error {
  readonly because: 'changed' | 'limits'

  constructor(because: 'changed' | 'limits') {
    super(because)
    this.because = because
  }
}

/** The imports of `model.import` entries; a model of which nothing is left to take back is not in them. */
export function pastImports(entries: readonly AuditEntryView[], models: readonly ModelView[]): readonly PastImport[] {
  const byImport = Map.groupBy(entries, ({ changes }) => {
    const id = changes['import_id']?.after
    return typeof id === 'string' ? id : ''
  })
  return [...byImport].flatMap(([id, edits]): PastImport[] => {
    const first = edits.at(-1)
    if (first === undefined || id === '') return []
    const standing = edits.flatMap((edit): ImportedModel[] => {
      const model = models.find((each) => each.id === edit.subject)
      if (model === undefined || model.managed) return []
      const imported = { id: model.id, name: model.name, ...fieldsOf(edit) }
      return isStanding(imported, model) ? [imported] : []
    })
    return [{ id, at: first.created_at, by: first.actor_email ?? first.actor, models: standing }]
  })
}

/** Whether a model is as the import left it, in all that it changed. */
function isStanding({ after }: Pick<ImportedModel, 'after'>, model: ModelView): boolean {
  return FIELDS.every((field) => !(field in after) || isSame(after[field], model[field]))
}

/** Throws NotTakenBack where something else stands by now, or where the role may not put all of it back. */
export function requireTakeBack(imported: ImportedModel, model: ModelView, mayChangeLimits: boolean): void {
  if (!isStanding(imported, model)) throw new NotTakenBack('changed')
  const hasLimits = 'context_tokens' in imported.before || 'max_output_tokens' in imported.before
  if (hasLimits && !mayChangeLimits) throw new NotTakenBack('limits')
}

function fieldsOf({ changes }: AuditEntryView): Pick<ImportedModel, 'before' | 'after'> {
  const of = (side: 'before' | 'after'): ImportedFields =>
    Object.fromEntries(
      FIELDS.flatMap((field) => {
        const change = changes[field]
        return change === undefined ? [] : [[field, withoutNull(change[side])]]
      }),
    )
  return { before: of('before'), after: of('after') }
}

/** What differs between a model before and after an edit. */
export function changedFields(before: ModelView, after: ModelView): Pick<ImportedModel, 'before' | 'after'> {
  const changed = FIELDS.filter((field) => !isSame(before[field], after[field]))
  const of = (model: ModelView): ImportedFields =>
    Object.fromEntries(changed.map((field) => [field, withoutNull(model[field])]))
  return { before: of(before), after: of(after) }
}

/** Prices are read with a null for what is not set, and written without. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNull(part)]),
  )
}
