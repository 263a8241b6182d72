import { equal } from '../../access/sign-in-records.ts'
import {
  accessToken,
  accessTokenCreate,
  type AccessTokenView,
  accessTokenWithSecret,
} from '../../contract/access-tokens.ts'
import { pageOf, pageQuery } from '../../contract/wire-values.ts'
import { type AccessToken, newAccessToken } from '../../access/access-token.ts'
import { displayParts } from '../../access/key-secret.ts'
import { changesBetween } from '../../access/audit.ts'
import { ACCESS_TOKENS_LIMIT } from '../../core/limits.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { type Actor, owned, ownAccount } from '../who/actor.ts'
import { idAt, onePage } from '../api/paging.ts'
import { fieldProblem, notFound, notSignedIn, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

const route = routesOf('Account')

const listTokens = route('get /api/tokens', {
  summary: 'List your access tokens',
  description: 'Newest first, without their secrets.',
  who: 'account',
  problems: ['account_needed', 'cursor_invalid'],
  query: pageQuery,
  answer: pageOf(accessToken),
  async handle(call, parts) {
    const { limit } = call.query
    const rows = await parts.store.accessTokens.list(ownAccount(call.actor).id, {
      after: idAt(call.position),
      limit: limit + 1,
    })
    const page = onePage(rows, call, ({ id }) => [id])
    return { data: page.rows.map(tokenOnWire), next_cursor: page.next_cursor }
  },
})

const createToken = route('post /api/tokens', {
  summary: 'Create an access token',
  description:
    'The secret is in this answer and in no other. It takes a session whose credentials were shown lately: an access token makes no other.',
  who: 'account',
  limits: { needsSession: true, needsConfirmation: true },
  problems: ['conflict'],
  body: accessTokenCreate,
  answer: accessTokenWithSecret,
  status: 201,
  secretFields: ['secret'],
  example: { body: { name: 'nightly report', scope: 'read', expires_at: '2027-12-31T00:00:00Z' } },
  async handle(call, parts) {
    const { name, scope, expires_at } = call.body
    const expiresAt = expires_at === null ? null : Date.parse(expires_at)
    if (expiresAt !== null && expiresAt <= call.nowMs) {
      throw fieldProblem('expires_at', 'expires_at must be a time in the future, or null for no end.', {
        form: 'time_to_come',
      })
    }
    const { id: accountId } = ownAccount(call.actor)
    const secret = newAccessToken(parts.randomBytes)
    const { start, end } = displayParts(secret)
    const token: AccessToken = {
      id: parts.newId('pat'),
      accountId,
      name,
      scope,
      secretStart: start,
      secretEnd: end,
      createdAt: call.nowMs,
      expiresAt,
      lastUsedAt: null,
    }
    await call.change(async ({ accessTokens, signInRecords }, audit) => {
      await requireGoingOn(call.actor, { signInRecords, nowMs: call.nowMs })
      if (!(await accessTokens.create(token, parts.hashes.accessToken(secret), ACCESS_TOKENS_LIMIT))) {
        throw new Problem(
          'conflict',
          `This account has ${ACCESS_TOKENS_LIMIT} access tokens, the maximum: delete an unused one first.`,
        )
      }
      await audit({
        action: 'token.create',
        subject: token.id,
        accountId,
        changes: changesBetween({}, audited(token)),
      })
    })
    return { token: tokenOnWire(token), secret }
  },
})

const deleteToken = route('delete /api/tokens/{id}', {
  summary: 'Delete an access token',
  description: 'It is refused from now on. Admins may delete those of others, whose ids the audit names.',
  who: 'account',
  async handle(call, parts) {
    const token = owned(call, await parts.store.accessTokens.find(call.params.id), 'access token')
    const { accountId } = token
    await call.change(async ({ accessTokens }, audit) => {
      if (!(await accessTokens.delete(token.id))) throw notFound('access token')
      await audit({
        action: 'token.delete',
        subject: token.id,
        accountId,
        changes: changesBetween(audited(token), {}),
      })
    })
  },
})

export const accessTokenRoutes: readonly ApiRoute[] = [listTokens, createToken, deleteToken]

/**
 * What ends the sessions of an account deletes its access tokens, and must not miss one that such a session makes at the same
 * instant: the session is locked here, so it either ends before, or its end waits and finds the token. Throws Problem.
 */
async function requireGoingOn(
  actor: Actor,
  { signInRecords, nowMs }: Pick<ChangeableStores, 'signInRecords'> & { readonly nowMs: number },
): Promise<void> {
  if (actor.kind !== 'session') return
  const where = equal({ id: actor.session.sessionId })
  const locked = await signInRecords.update('session', { where, set: { updatedAt: nowMs } })
  if (locked.length === 0) throw notSignedIn()
}

function tokenOnWire(token: AccessToken): AccessTokenView {
  return {
    id: token.id,
    name: token.name,
    secret_start: token.secretStart,
    secret_end: token.secretEnd,
    scope: token.scope,
    created_at: timeOnWire(token.createdAt),
    expires_at: timeOrNull(token.expiresAt),
    last_used_at: timeOrNull(token.lastUsedAt),
  }
}

function audited({ name, scope, expiresAt }: AccessToken) {
  return { name, scope, expires_at: timeOrNull(expiresAt) }
}
