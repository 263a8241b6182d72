import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer, StoredUse } from '../../core/stored-edits.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { managed, notFound, Problem } from '../problem.ts'
import type { ApiCall } from './route.ts'

type Edited<Stored> = Extract<EditAnswer<Stored>, { kind: 'edited' }>
type ChangeCall = Pick<ApiCall, 'change' | 'reachNodes'>

/**
 * Adds an object with its audit entry, and resolves once every node has it. `kind`: what it is, such as "group". Throws the
 * Problem that kept it from being added.
 */
export async function addObject(
  call: ChangeCall,
  kind: string,
  { add, note }: { readonly note: AuditNote; add(stores: ChangeableStores): Promise<AddAnswer> },
): Promise<void> {
  const added = await call.change(async (stores, audit) => {
    const answer = await add(stores)
    if (answer.kind === 'name_taken') throw nameTaken(kind)
    await audit(note)
    return answer
  })
  await call.reachNodes(added)
}

/** Changes an object with its audit entry, and resolves once every node has it. Throws the Problem that kept it as it is. */
export async function editObject<Stored>(
  call: ChangeCall,
  kind: string,
  change: {
    edit(stores: ChangeableStores): Promise<EditAnswer<Stored>>
    noteOf(before: NoInfer<Stored>, after: NoInfer<Stored>): AuditNote
  },
): Promise<Stored> {
  const { after, seq } = await call.change(async (stores, audit) => {
    const answer = edited(await change.edit(stores), kind)
    await audit(change.noteOf(answer.before, answer.after))
    return answer
  })
  await call.reachNodes({ seq })
  return after
}

type DeletedKind = 'announcement' | 'group' | 'model' | 'plan' | 'upstream'

/** Deletes an object with its audit entry, and resolves once no node has it. Throws the Problem that kept it. */
export async function deleteObject<Stored extends { readonly id: string }>(
  call: ChangeCall,
  kind: DeletedKind,
  change: {
    delete(stores: ChangeableStores): Promise<DeleteAnswer<Stored>>
    settingsOf(before: NoInfer<Stored>): Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const gone = await call.change(async (stores, audit) => {
    const answer = deleted(await change.delete(stores), kind)
    await audit(deletionNote(kind, answer.before.id, change.settingsOf(answer.before)))
    return answer
  })
  await call.reachNodes(gone)
}

/** What the audit says of an object that was deleted. */
export function deletionNote(
  kind: DeletedKind,
  subject: string,
  settings: Readonly<Record<string, unknown>>,
): AuditNote {
  return { action: `${kind}.delete`, subject, accountId: null, changes: changesBetween(settings, {}) }
}

export function edited<Stored>(answer: EditAnswer<Stored>, kind: string): Edited<Stored> {
  if (answer.kind === 'edited') return answer
  throw answer.kind === 'name_taken' ? nameTaken(kind) : refused(answer.kind, kind)
}

export function deleted<Stored>(
  answer: DeleteAnswer<Stored>,
  kind: string,
): Extract<typeof answer, { kind: 'deleted' }> {
  if (answer.kind === 'deleted') return answer
  if (answer.kind !== 'in_use') throw refused(answer.kind, kind)
  const uses = answer.uses.map(sentenceOf).join('; ')
  throw new Problem('in_use', `This ${kind} cannot be deleted while something needs it: ${uses}.`)
}

function refused(why: 'unknown' | 'managed', kind: string): Problem {
  return why === 'unknown' ? notFound(kind) : managed(kind)
}

function nameTaken(kind: string): Problem {
  return new Problem('name_taken', `There is another ${kind} of this name. Choose another name.`, { field: 'name' })
}

const USERS: Record<StoredUse['by'], readonly [string, string]> = {
  keys: ['API key', 'API keys'],
  plans: ['plan', 'plans'],
  subscriptions: ['subscription that is not over', 'subscriptions that are not over'],
  redeem_codes: ['unused redeem code', 'unused redeem codes'],
  invitations: ['open invitation', 'open invitations'],
  models: ['model', 'models'],
  groups: ['group from the declarative file', 'groups from the declarative file'],
}

function sentenceOf({ by, count, names }: StoredUse): string {
  const shown = names.map((name) => `"${name}"`).join(', ')
  const more = names.length > 0 && count > names.length ? ' and others' : ''
  return `${count} ${USERS[by][count === 1 ? 0 : 1]}${shown === '' ? '' : ` (${shown}${more})`}`
}
