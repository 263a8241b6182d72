import type { AddAnswer, DeleteAnswer, EditAnswer, StoredUse } from '../../core/stored-edits.ts'
import { managed, notFound, Problem } from '../problem.ts'

type Added = Extract<AddAnswer, { kind: 'added' }>
type Edited<Stored> = Extract<EditAnswer<Stored>, { kind: 'edited' }>
type Deleted<Stored> = Extract<DeleteAnswer<Stored>, { kind: 'deleted' }>

/** What became of adding an object; `what` says its kind: "group". Throws the Problem that kept it from being added. */
export function added(answer: AddAnswer, what: string): Added {
  if (answer.kind === 'name_taken') throw nameTaken(what)
  return answer
}

export function edited<Stored>(answer: EditAnswer<Stored>, what: string): Edited<Stored> {
  switch (answer.kind) {
    case 'edited':
      return answer
    case 'unknown':
      throw notFound(what)
    case 'managed':
      throw managed(what)
    case 'name_taken':
      throw nameTaken(what)
  }
}

export function deleted<Stored>(answer: DeleteAnswer<Stored>, what: string): Deleted<Stored> {
  switch (answer.kind) {
    case 'deleted':
      return answer
    case 'unknown':
      throw notFound(what)
    case 'managed':
      throw managed(what)
    case 'in_use': {
      const uses = answer.uses.map(sentenceOf).join('; ')
      throw new Problem('in_use', `This ${what} cannot be deleted while something needs it: ${uses}.`)
    }
  }
}

/** The change that nodes are to be reached with. */
export function changeOf({ seq }: { readonly seq: number | null }): { readonly seq: number } | null {
  return seq === null ? null : { seq }
}

function nameTaken(what: string): Problem {
  return new Problem('name_taken', `There is another ${what} of this name. Choose another name.`, { field: 'name' })
}

const USERS: Record<StoredUse['by'], readonly [string, string]> = {
  keys: ['API key', 'API keys'],
  plans: ['plan', 'plans'],
  subscriptions: ['subscription that is not over', 'subscriptions that are not over'],
  redeem_codes: ['unused redeem code', 'unused redeem codes'],
  models: ['model', 'models'],
  groups: ['group from the declarative file', 'groups from the declarative file'],
}

function sentenceOf({ by, count, names }: StoredUse): string {
  const shown = names.map((name) => `"${name}"`).join(', ')
  const more = names.length > 0 && count > names.length ? ' and others' : ''
  return `${count} ${USERS[by][count === 1 ? 0 : 1]}${shown === '' ? '' : ` (${shown}${more})`}`
}
