import { newId } from '../../core/ids.ts'
import type { Model, Target } from '../../routing/catalog.ts'
import type { PlannedModel } from '../import-plan.ts'
import { applyEach, EXISTS, MANAGED } from './apply-step.ts'
import type { ImportStep, KnownRow, RowResult, RowToApply } from './apply-step.ts'
import { isAsMarked, keptNote, markedBehind, marksIn, marksOf, mergeFields, withMarksFor } from './field-marks.ts'
import type { FieldMarks } from './field-marks.ts'

const TARGET = 'target:'
const WORDS = { prices: 'prices', target: 'targets' }

interface Ids {
  readonly groups: ReadonlyMap<string, string>
  readonly upstreams: ReadonlyMap<string, string>
}

/** Models, by their names. */
export async function applyModels(step: ImportStep, ids: Ids): Promise<void> {
  // Read once: an installation may have thousands of them.
  const all = await step.target.together(({ catalog }) => catalog.models())
  const byId = new Map(all.map((model) => [model.id, model]))
  const byName = new Map(all.map((model) => [model.name, model]))
  await applyEach(step, {
    kind: 'model',
    table: 'models',
    objects: step.plan.models,
    idOf: ({ name }) => name,
    apply(planned, row) {
      const there = row.known === undefined ? byName.get(planned.name) : byId.get(row.known.objectId)
      return applyModel(planned, { ...row, ids, there })
    },
    leave: (row) => withoutTargets(row, byId.get(row.known.objectId)),
  })
}

interface ModelsToApply extends RowToApply {
  readonly ids: Ids
  readonly there: Model | undefined
}

async function applyModel(planned: PlannedModel, about: ModelsToApply): Promise<RowResult> {
  const { step, stores, ids, known, there } = about
  const targets = targetsOf(planned, ids)
  const wanted = fieldsOf(planned, targets)
  const put = (objectId: string, marks: FieldMarks) =>
    stores.imported.put(step.source, 'model', { sourceId: planned.name, objectId, state: { ...marks } })
  if (there?.isManaged === true) return { did: 'nothing', note: MANAGED }
  if (known === undefined) {
    const id = newId('mdl', step.nowMs)
    const { name, prices } = planned
    const plain = { contextTokens: null, maxOutputTokens: null, isManaged: false, createdAt: step.nowMs }
    const answer =
      there === undefined
        ? await stores.catalog.addModel({ ...plain, id, name, prices, targets: [...targets.values()] })
        : { kind: 'name_taken' as const }
    if (answer.kind === 'name_taken') return { did: 'nothing', note: EXISTS }
    await put(id, marksOf(step, wanted))
    return { did: 'created' }
  }
  const marks = marksIn(known)
  const gone = markedBehind(marks, TARGET).filter((name) => !targets.has(name))
  const { prices, ...others } = wanted
  const isLocked = there?.isPriceLocked === true
  const differs = { ...Object.fromEntries(gone.map((name) => [TARGET + name, null])), ...others }
  // A locked price is compared again when its lock is gone.
  const all = isLocked ? differs : { ...differs, prices }
  const locked = isLocked && !isAsMarked(step, { prices }, marks) ? LOCKED : null
  if (isAsMarked(step, all, marks)) return { did: 'nothing', note: locked }
  if (there === undefined) return { did: 'nothing', note: 'were deleted here, and stay so' }
  const merge = merged(there, { wanted: all, marks, step })
  const answer = await stores.catalog.editModel(there.id, (model) =>
    edited(model, merged(model, { wanted: all, marks, step }).write, { planned, targets }),
  )
  if (answer.kind !== 'edited') return { did: 'nothing', note: MANAGED }
  await put(there.id, merge.marks)
  return { did: 'changed', note: locked ?? keptNote(merge.kept, WORDS) }
}

const UNSERVED = 'are served by nothing at the source since: the targets that were imported are taken away here'

/** What serves a model here beside the source goes on, and so does its price. */
async function withoutTargets({ step, stores, known }: KnownRow, there: Model | undefined): Promise<RowResult> {
  const marks = marksIn(known)
  const wanted = Object.fromEntries(markedBehind(marks, TARGET).map((name) => [TARGET + name, null]))
  if (there === undefined || isAsMarked(step, wanted, marks)) return { did: 'nothing' }
  const merge = merged(there, { wanted, marks, step })
  const answer = await stores.catalog.editModel(there.id, (model) =>
    edited(model, merged(model, { wanted, marks, step }).write, { planned: { prices: null }, targets: new Map() }),
  )
  if (answer.kind !== 'edited') return { did: 'nothing', note: MANAGED }
  await stores.imported.put(step.source, 'model', { ...known, state: { ...merge.marks } })
  return { did: 'changed', note: keptNote(merge.kept, WORDS) ?? UNSERVED }
}

const LOCKED = 'have a locked price here, which stays, and another one there since the last import'

/** Targets by what they are known again by: the same model at the same upstream may stand in several places. */
function targetsOf(planned: PlannedModel, ids: Ids): ReadonlyMap<string, Target> {
  return new Map(
    planned.targets.flatMap(({ upstream, groups: names, costFactor, ...target }) => {
      const upstreamId = ids.upstreams.get(upstream)
      // It was deleted here.
      if (upstreamId === undefined) return []
      const made: Target = {
        ...target,
        upstreamId,
        groupIds: names.flatMap((name) => ids.groups.get(name) ?? []),
        ...(costFactor === null ? {} : { cost: { kind: 'factor', factor: costFactor } }),
      }
      return [[nameOf(made), made] as const]
    }),
  )
}

function nameOf({ upstreamId, model, priority }: Target): string {
  return `${upstreamId} ${priority} ${model}`
}

/** Fields in the form in which the source’s values and those here are compared. */
function fieldsOf(
  { prices }: Pick<Model, 'prices'>,
  targets: ReadonlyMap<string, Target>,
): Readonly<Record<string, unknown>> {
  return { prices, ...Object.fromEntries([...targets].map(([name, target]) => [TARGET + name, termsOf(target)])) }
}

function termsOf({ weight, groupIds, cost }: Target) {
  return { weight, groupIds: groupIds === undefined ? null : [...groupIds].sort(), cost }
}

function merged(
  model: Model,
  { wanted, marks, step }: { wanted: Readonly<Record<string, unknown>>; marks: FieldMarks; step: ImportStep },
) {
  const targets = new Map(model.targets.map((target) => [nameOf(target), target]))
  const fresh = Object.keys(wanted).filter((name) => name.startsWith(TARGET))
  return mergeFields(step, {
    wanted,
    here: fieldsOf(model, targets),
    marks: withMarksFor(step, marks, { fields: fresh, value: null }),
  })
}

function edited(
  model: Model,
  write: Readonly<Record<string, unknown>>,
  { planned, targets }: { planned: Pick<PlannedModel, 'prices'>; targets: ReadonlyMap<string, Target> },
): Model {
  const isWritten = (target: Target) => write[TARGET + nameOf(target)] !== undefined
  const kept = model.targets.flatMap((target) => {
    if (!isWritten(target)) return [target]
    const next = targets.get(nameOf(target))
    if (next === undefined) return []
    const { cost: _cost, ...others } = target
    return [{ ...others, ...next }]
  })
  const there = new Set(kept.map(nameOf))
  const added = [...targets.values()].filter((target) => isWritten(target) && !there.has(nameOf(target)))
  // What has a price goes on being sold, whatever the source has lost.
  const hasPrices = write['prices'] != null && planned.prices !== null && model.isPriceLocked !== true
  return { ...model, targets: [...kept, ...added], ...(hasPrices ? { prices: planned.prices } : {}) }
}
