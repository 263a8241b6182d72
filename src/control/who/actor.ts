import { mayGrant, type Right, RIGHTS, rightsOf, type Role, rolesWith } from '../../core/roles.ts'
import type { Account } from '../../access/account.ts'
import type { AccessTokenScope } from '../../access/access-token.ts'
import type { SignedIn } from '../sign-in/parts.ts'
import { notFound, Problem } from '../problem.ts'

/** Who sends a request of the console API. */
export type Actor =
  | {
      readonly kind: 'session'
      readonly account: Account
      readonly session: SignedIn
    }
  | { readonly kind: 'access_token'; readonly account: Account; readonly scope: AccessTokenScope }
  /** The admin role, and no account of its own: TOLLGATE_ADMIN_TOKEN, or the command line. */
  | { readonly kind: 'admin_token'; readonly isCommandLine?: true }

/** What a route does with what it finds: reads it, or changes something. What is of others is found for reading by more roles. */
export type Reach = 'read' | 'change'

/** What the actor may do beside their own things. */
function rightsOfActor(actor: Actor): readonly Right[] {
  return actor.kind === 'admin_token' ? RIGHTS : rightsOf(actor.account.role)
}

export function hasRight(actor: Actor, right: Right): boolean {
  return rightsOfActor(actor).includes(right)
}

/** Whether the actor is shown what is of others and of the installation. */
export function isStaff(actor: Actor): boolean {
  return hasRight(actor, 'staff')
}

/** Throws the Problem of an actor without a right. `detail`: what is refused, and what may be done instead. */
export function requireRight(
  actor: Actor,
  right: Right,
  { detail, field }: { readonly detail?: string; readonly field?: string } = {},
): void {
  if (hasRight(actor, right)) return
  const more = field === undefined ? {} : { field }
  if (right === 'admin') {
    throw new Problem('admin_needed', detail ?? 'Only admins may do this. Ask an admin of this server.', more)
  }
  const roles = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(rolesWith(right))
  throw new Problem(
    'role_insufficient',
    `${detail ?? 'Your role may not do this.'} It requires the role ${roles}.`,
    more,
  )
}

/** How the actor is written in the audit and in ledger entries: an account id, `admin_token` or `cli`. */
export function actorId(actor: Actor): string {
  if (actor.kind !== 'admin_token') return actor.account.id
  return actor.isCommandLine === true ? 'cli' : 'admin_token'
}

/** The actor's account; null for the admin token, which has none. */
export function accountIdOf(actor: Actor): string | null {
  return actor.kind === 'admin_token' ? null : actor.account.id
}

/** The actor's own account. Throws Problem `account_needed` for the admin token. */
export function ownAccount(actor: Actor): Account {
  if (actor.kind !== 'admin_token') return actor.account
  throw new Problem(
    'account_needed',
    'The admin token has no account of its own. Name one with account_id where the route takes it, or use an access token.',
    { field: 'account_id' },
  )
}

/**
 * The account that a list or a creation is about: the actor's own, or the one that `account_id` names for those who may read or
 * change what is of others. null: those of all accounts (`*`, in lists; the admin token, which has none of its own, means them
 * where it names none). Throws Problem.
 */
export function accountMeant(
  { actor, reach }: { readonly actor: Actor; readonly reach: Reach },
  wanted: string | undefined,
  all: 'all_allowed' | 'one' = 'one',
): string | null {
  if (wanted === undefined) {
    return actor.kind === 'admin_token' && all === 'all_allowed' ? null : ownAccount(actor).id
  }
  if (actor.kind !== 'admin_token' && wanted === actor.account.id) return wanted
  requireRight(actor, RIGHT_TO_OTHERS[reach], { detail: OTHERS_REFUSED, field: 'account_id' })
  if (wanted !== '*') return wanted
  if (all === 'all_allowed') return null
  throw new Problem('field_invalid', 'account_id must be the id of one account here, not "*".', { field: 'account_id' })
}

/** Throws Problem for a role with rights that the actor lacks: only rights of one's own can be given. */
export function requireGrantable(actor: Actor, role: Role): void {
  if (mayGrant(rightsOfActor(actor), role)) return
  throw new Problem('role_insufficient', `The role ${role} has rights that yours has not, so you cannot give it.`, {
    field: 'role',
  })
}

/** The right by which one reads or changes what is of others. */
const RIGHT_TO_OTHERS = { read: 'staff', change: 'admin' } as const satisfies Record<Reach, Right>
const OTHERS_REFUSED = 'Your role may not name another account here. Leave account_id out for your own.'

/** Whether what belongs to an account is there for the actor: their own, or what their role reaches. */
export function mayReach(actor: Actor, accountId: string, reach: Reach): boolean {
  const isOwn = actor.kind !== 'admin_token' && accountId === actor.account.id
  return isOwn || hasRight(actor, RIGHT_TO_OTHERS[reach])
}

/** The object, when it exists and the actor may reach it. Throws the same 404 for both. */
export function owned<Thing extends { readonly accountId: string }>(
  { actor, reach }: { readonly actor: Actor; readonly reach: Reach },
  thing: Thing | null | undefined,
  what: string,
): Thing {
  if (thing == null) throw notFound(what)
  if (!mayReach(actor, thing.accountId, reach)) throw notFound(what)
  return thing
}
