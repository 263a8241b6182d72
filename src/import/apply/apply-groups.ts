import type { Group } from '../../access/group.ts'
import { newId } from '../../core/ids.ts'
import type { PlannedGroup } from '../import-plan.ts'
import { applyEach, type ImportStep, type RowResult, type RowToApply } from './apply-step.ts'
import { isAsMarked, keptNote, marksIn, marksOf, mergeFields } from './field-marks.ts'

const OF_FILE = 'come from the declarative file here, and stay as they are: keys in them are charged by that'
const WORDS = { isOpen: 'open', isEnabled: 'enabled' }

type AppliedGroup = RowResult & { readonly id: string }

/** Groups. Returns the ids here of all that the plan names, by their names there. */
export async function applyGroups(step: ImportStep): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  await applyEach(step, {
    kind: 'group',
    table: 'groups',
    objects: step.plan.groups,
    idOf: ({ name }) => name,
    async apply(planned, row) {
      const { id, ...result } = await applyGroup(planned, row)
      ids.set(planned.name, id)
      return result
    },
  })
  return ids
}

async function applyGroup(planned: PlannedGroup, { step, stores, known }: RowToApply): Promise<AppliedGroup> {
  const all = await stores.groups.groups()
  const wanted = fieldsOf(planned)
  // One that got another name here is still the one that was imported.
  const there = all.find(({ id }) => id === known?.objectId) ?? all.find(({ name }) => name === planned.name)
  const put = (id: string, marks: object) =>
    stores.imported.put(step.source, 'group', { sourceId: planned.name, objectId: id, state: { ...marks } })
  if (there === undefined) {
    const id = newId('grp', step.nowMs)
    await stores.groups.addGroup({ ...wanted, id, name: planned.name, models: ['*'], isManaged: false })
    await put(id, marksOf(step, wanted))
    return { did: 'created', id }
  }
  const { id } = there
  if (there.isManaged) return { did: 'nothing', id, note: OF_FILE }
  if (planned.isOnlyAPlace) return { did: 'nothing', id }
  if (known?.objectId !== id) {
    await stores.groups.editGroup(id, (group) => ({ ...group, ...wanted }))
    await put(id, marksOf(step, wanted))
    if (!differs(there, planned)) return { did: 'nothing', id }
    return {
      did: 'changed',
      id,
      note: 'were here already under this name, and have the multiplier of there from now on',
    }
  }
  if (isAsMarked(step, wanted, marksIn(known))) return { did: 'nothing', id }
  const { write, kept, marks } = mergeFields(step, { wanted, here: { ...there }, marks: marksIn(known) })
  await stores.groups.editGroup(id, (group) => ({ ...group, ...write }))
  await put(id, marks)
  return { did: 'changed', id, note: keptNote(kept, WORDS) }
}

function fieldsOf({ multiplier, isOpen, isEnabled }: PlannedGroup) {
  return { multiplier, isOpen, isEnabled }
}

/** Whether a group here would be another one by what the source says of the one with its name. */
export function differs(here: Group, there: PlannedGroup): boolean {
  const { multiplier, isOpen, isEnabled } = there
  return here.multiplier !== multiplier || here.isOpen !== isOpen || here.isEnabled !== isEnabled
}
