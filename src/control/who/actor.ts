import type { Account } from '../../access/account.ts'
import type { AccessTokenScope } from '../../access/access-token.ts'
import type { SignedIn } from '../sign-in/parts.ts'
import { notFound, Problem } from '../api/problem.ts'

/** Who sends a request of the console API. */
export type Actor =
  | {
      readonly kind: 'session'
      readonly account: Account
      readonly session: SignedIn
    }
  | { readonly kind: 'access_token'; readonly account: Account; readonly scope: AccessTokenScope }
  /** TOLLGATE_ADMIN_TOKEN: the admin role, and no account of its own. */
  | { readonly kind: 'admin_token' }

export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'admin_token' || actor.account.role === 'admin'
}

/** How the actor is written in the audit and in ledger entries: an account id or `admin_token`. */
export function actorId(actor: Actor): string {
  return actor.kind === 'admin_token' ? 'admin_token' : actor.account.id
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
 * Whose objects a list or a creation is about: the actor's own, or for admins the one that `account_id` names. null: those of
 * all accounts (`*`, lists of admins). Throws Problem.
 */
export function accountMeant(
  actor: Actor,
  wanted: string | undefined,
  all: 'all_allowed' | 'one' = 'one',
): string | null {
  if (wanted === undefined) return ownAccount(actor).id
  if (actor.kind !== 'admin_token' && wanted === actor.account.id) return wanted
  if (!isAdmin(actor)) {
    throw new Problem('admin_needed', 'Only admins may name another account. Leave account_id out for your own.', {
      field: 'account_id',
    })
  }
  if (wanted !== '*') return wanted
  if (all === 'all_allowed') return null
  throw new Problem('field_invalid', 'account_id takes the id of one account here, not "*".', { field: 'account_id' })
}

/** The object, when it exists and the actor may see it: own, or any for admins. Throws the same 404 for both. */
export function owned<Thing extends { readonly accountId: string }>(
  actor: Actor,
  thing: Thing | null | undefined,
  what: string,
): Thing {
  if (thing == null) throw notFound(what)
  const isOwn = actor.kind !== 'admin_token' && thing.accountId === actor.account.id
  if (!isOwn && !isAdmin(actor)) throw notFound(what)
  return thing
}
