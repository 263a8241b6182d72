import { createCursors } from './paging.ts'
import { Problem } from '../problem.ts'
import type { ApiRoute, Tag } from './route.ts'
import type { ControlParts } from '../parts.ts'
import type { Actor } from '../who/actor.ts'
import type { Credentials } from '../who/authenticate.ts'

/** Names the grant by which an admin's session sees an account as its owner does, for this one request. */
const HEADER = 'x-tollgate-see-as'

/** What an admin holds meanwhile: it is good for one session, one account and a time. */
interface Grant {
  readonly sessionId: string
  readonly accountId: string
  readonly untilMs: number
}

/** Opaque, and of no use without the session that it was made for. */
export function writeGrant({ sessionId, accountId, untilMs }: Grant, { hashes }: Pick<ControlParts, 'hashes'>): string {
  return createCursors(hashes.seeAs).write([sessionId, accountId, untilMs], '')
}

/**
 * Who the request is from as far as its route is concerned: the actor, or the owner of the account that the actor sees as
 * they do. The owner's role is `user`, so nothing of others is reached by it. Throws the Problem of a grant that does not
 * hold, rather than answer with what is the admin's own, and of every route that does not read what owners have.
 */
export async function seenAs(
  actor: Actor,
  { route, credentials }: { readonly route: ApiRoute; readonly credentials: Credentials },
  parts: Pick<ControlParts, 'hashes' | 'store'>,
): Promise<Actor> {
  const written = credentials.headers.get(HEADER)
  if (written === null) return actor
  const grant = readGrant(written, parts)
  const isHeld =
    actor.kind === 'session' &&
    actor.account.role === 'admin' &&
    grant?.sessionId === actor.session.sessionId &&
    credentials.nowMs < grant.untilMs
  if (!isHeld) throw ended()
  if (!isSeen(route)) {
    throw new Problem(
      'see_as_read_only',
      'You are seeing this account as its owner does. What it has can be read; nothing can be changed, and its sign-in is not shown.',
    )
  }
  const account = await parts.store.accounts.findById(grant.accountId)
  if (account === null || !maySeeAs(account)) throw ended()
  return { kind: 'session', account, session: { ...actor.session, account } }
}

/** Accounts of staff are not: what they see is more than what is their own. */
export function maySeeAs({ role }: { readonly role: string }): boolean {
  return role === 'user'
}

/** Whether a route may be asked so: it reads what accounts have, and nothing of how they sign in. */
export function isSeen({ method, who, tag, path }: Pick<ApiRoute, 'method' | 'who' | 'tag' | 'path'>): boolean {
  return method === 'get' && who === 'account' && (SEEN_TAGS.includes(tag) || SEEN_PATHS.includes(path))
}

const SEEN_TAGS: readonly Tag[] = ['Keys', 'Usage', 'Billing', 'Catalogue']
const SEEN_PATHS: readonly string[] = [
  '/api/me',
  '/api/me/limits',
  '/api/me/visits',
  '/api/overview',
  '/api/announcements',
]

function readGrant(written: string, { hashes }: Pick<ControlParts, 'hashes'>): Grant | null {
  try {
    const [sessionId, accountId, untilMs] = createCursors(hashes.seeAs).read(written, '')
    return typeof sessionId === 'string' && typeof accountId === 'string' && typeof untilMs === 'number'
      ? { sessionId, accountId, untilMs }
      : null
  } catch {
    return null
  }
}

function ended(): Problem {
  return new Problem(
    'see_as_ended',
    'Seeing this account as its owner has ended: its time is over, or the session or the account changed. Begin anew, or go on as yourself.',
  )
}
