import type { AuditNote } from '../../access/audit.ts'
import type { UpstreamDeletion } from '../../contract/upstreams.ts'
import type { Model, Target, Upstream } from '../../routing/catalog.ts'
import { deleted, deletionNote, edited } from '../api/stored-changes.ts'
import { modelNote } from '../audit/catalogue-notes.ts'
import { type ListedCatalogue, readCatalogue } from '../catalogue.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { existing, fieldProblem, Problem } from '../problem.ts'
import { modelSettings } from '../views/model-view.ts'
import { auditedUpstream } from '../views/upstream-view.ts'
import { requireUsableTargets } from '../models/model-settings.ts'

/** One change of the database, in which everything is done or nothing is. */
interface Transaction {
  readonly stores: ChangeableStores
  audit(note: AuditNote): Promise<void>
}

type Done = { readonly seq: number | null }

/**
 * Deletes an upstream together with the targets that models have there, or moves these to another upstream first. Returns the
 * changes that nodes follow. Throws the Problem that kept it.
 */
export async function deleteUpstreamWithTargets(
  id: string,
  wanted: UpstreamDeletion,
  { stores, audit }: Transaction,
): Promise<readonly Done[]> {
  const catalogue = await readCatalogue(stores)
  const to = destinationOf(id, wanted, catalogue)
  const using = catalogue.models.filter((model) => hasTargetAt(id, model))
  requireChangeable(using)
  const done: Done[] = []
  for (const model of using) {
    const rest = targetsWithout(id, model.targets, to)
    if (rest.length > 0 || wanted.models === 'keep') {
      const edit = (before: Model): Model => {
        const after = { ...before, targets: targetsWithout(id, before.targets, to) }
        if (to !== null) requireMovable(before, after, { to, catalogue })
        return after
      }
      const answer = edited(await stores.catalog.editModel(model.id, edit), 'model')
      await audit(modelNote(answer.before, answer.after, catalogue))
      done.push(answer)
    } else {
      const answer = deleted(await stores.catalog.deleteModel(model.id), 'model')
      await audit(deletionNote('model', model.id, modelSettings(answer.before, catalogue)))
      done.push(answer)
    }
  }
  const answer = deleted(await stores.catalog.deleteUpstream(id), 'upstream')
  await audit(deletionNote('upstream', id, auditedUpstream(answer.before)))
  return [...done, answer]
}

function destinationOf(
  id: string,
  { models, to }: UpstreamDeletion,
  { upstreams }: Pick<ListedCatalogue, 'upstreams'>,
): Upstream | null {
  existing(
    upstreams.find((each) => each.id === id),
    'upstream',
  )
  if (models !== 'move') {
    if (to !== undefined) throw fieldProblem('to', 'to must not be sent unless models is "move".')
    return null
  }
  const found = upstreams.find((each) => each.id === to && each.id !== id)
  if (found === undefined) throw fieldProblem('to', 'to must be the id of another upstream.')
  return found
}

function hasTargetAt(id: string, { targets }: Pick<Model, 'targets'>): boolean {
  return targets.some(({ upstreamId }) => upstreamId === id)
}

/** Models from the declarative file are changed there alone. */
function requireChangeable(models: readonly Model[]): void {
  const fixed = models.filter(({ isManaged }) => isManaged)
  if (fixed.length === 0) return
  const names = fixed.slice(0, MOST_NAMES).map(({ name }) => `"${name}"`)
  throw new Problem(
    'in_use',
    `This upstream cannot be deleted while models from the declarative file have a target there: ${names.join(', ')}${fixed.length > MOST_NAMES ? ' and others' : ''}.`,
  )
}

const MOST_NAMES = 5

/** `to` null: the targets go. A target that `to` has already is not there twice. */
function targetsWithout(id: string, targets: readonly Target[], to: Upstream | null): readonly Target[] {
  const isThere = (moved: Target) =>
    targets.some(({ upstreamId, model }) => upstreamId === to?.id && model === moved.model)
  return targets.flatMap((target) => {
    if (target.upstreamId !== id) return [target]
    return to === null || isThere(target) ? [] : [{ ...target, upstreamId: to.id }]
  })
}

/** The protocol of the upstream that targets move to has to carry an endpoint of each model. */
function requireMovable(
  before: Model,
  after: Model,
  { to, catalogue }: { readonly to: Upstream; readonly catalogue: ListedCatalogue },
): void {
  try {
    requireUsableTargets(after, before, catalogue)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw fieldProblem(
      'to',
      `to must be an upstream that can serve the model "${before.name}", and "${to.name}" cannot.`,
    )
  }
}
