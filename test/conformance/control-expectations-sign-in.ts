import type { Expectation, Making } from './control-expectation.ts'
import { adminOnly, type Statuses } from './control-statuses.ts'

const PASSWORD = 'correct horse battery'

/** Statuses alike for all callers, signed in or not. */
function alike(status = 200): Statuses {
  return { anonymous: status, other: status, owner: status, admin: status, adminToken: status }
}

/** Statuses for the owner of a session; the admin token has none. */
function ownSession(status = 200): Statuses {
  return { anonymous: 401, other: status, owner: status, admin: status, adminToken: 403 }
}

/**
 * The routes of signing in, and of the links that admins make. Those that take a code or a passkey are asked with a body
 * that does not match: who may call them is settled before.
 */
export const EXPECTATIONS_OF_SIGN_IN: Readonly<Record<string, Expectation>> = {
  'GET /api/auth/options': { statuses: alike() },
  'GET /api/auth/session': { statuses: alike() },
  'POST /api/auth/sign-in': {
    statuses: alike(),
    make: anAccount,
    body: (made: Made) => ({ email: made['email'], password: PASSWORD }),
  },
  'POST /api/auth/second-step': { statuses: alike(422), body: {} },
  'POST /api/auth/sign-out': { statuses: alike(204) },
  // What other routes are walked with is made with access tokens.
  'POST /api/auth/sign-out-everywhere': { statuses: ownSession(204), body: { end_access_tokens: false } },
  'POST /api/auth/confirm': { statuses: ownSession(422), body: {} },
  'GET /api/auth/sessions': { statuses: ownSession() },
  'DELETE /api/auth/sessions/{id}': { statuses: ownSession(404) },
  'GET /api/auth/methods': { statuses: ownSession() },
  'POST /api/auth/totp/start': { statuses: ownSession() },
  'POST /api/auth/totp/finish': { statuses: ownSession(422), body: {} },
  'POST /api/auth/totp/stop': { statuses: ownSession(422), body: {} },
  'POST /api/auth/totp/backup-codes': { statuses: ownSession(409), body: { way: 'totp', code: '123456' } },
  // The walk goes to an IP address, where browsers offer no passkeys.
  'POST /api/auth/passkeys/register/start': { statuses: { ...ownSession(403) } },
  'POST /api/auth/passkeys/register/finish': { statuses: ownSession(422), body: {} },
  'POST /api/auth/passkeys/sign-in/start': { statuses: alike(403) },
  'POST /api/auth/passkeys/sign-in/finish': { statuses: alike(422), body: {} },
  'DELETE /api/auth/passkeys/{id}': { statuses: ownSession(404) },
  'POST /api/auth/oidc/start': { statuses: alike(404), body: {} },
  'GET /api/auth/callback/oidc': { statuses: alike(302), query: () => 'code=x&state=y&iss=z&cursor=c&iss=again' },
  // Neither linked nor another way in.
  'DELETE /api/auth/oidc': { statuses: ownSession(409) },
  'POST /api/auth/password/forgot': { statuses: alike(202), body: { email: 'unknown@example.test' } },
  'POST /api/auth/password/reset': {
    statuses: alike(204),
    make: (making) => aLink(making, 'reset-link'),
    body: (made: Made) => ({ token: made['token'], password: PASSWORD }),
  },
  'POST /api/auth/password/change': { statuses: ownSession(422), body: {} },
  'POST /api/auth/email/verify': {
    statuses: alike(),
    make: (making) => aLink(making, 'verification-link'),
    body: token,
  },
  'POST /api/auth/email/send': { statuses: ownSession(202) },
  'POST /api/auth/email/change': { statuses: ownSession(202), body: () => ({ email: newEmail() }) },
  'POST /api/auth/invitation/preview': { statuses: alike(), make: anInvitation, body: token },
  'POST /api/auth/sign-up': {
    statuses: alike(),
    make: anInvitation,
    body: (made: Made) => ({ email: newEmail(), password: PASSWORD, invitation: made['token'] }),
  },
  'POST /api/auth/set-up/preview': { statuses: alike(410), body: { token: 'not-the-link-of-the-first-start' } },
  'POST /api/auth/set-up': { statuses: alike(410), body: { token: 'not-the-link-of-the-first-start' } },
  'POST /api/accounts/{id}/verification-link': { statuses: adminOnly(201), make: anAccount },
  'GET /api/invitations': { statuses: adminOnly() },
  'DELETE /api/invitations/{id}': { statuses: adminOnly(204), make: anInvitation },
}

type Made = Readonly<Record<string, string>>

let emails = 0

function newEmail(): string {
  return `signing-in-${++emails}@example.test`
}

function token(made: Made): object {
  return { token: made['token'] }
}

async function anAccount({ admin }: Making): Promise<Made> {
  const { body } = await admin.ask('POST', '/api/accounts', { email: newEmail(), password: PASSWORD })
  return body as Made
}

async function aLink(making: Making, kind: 'reset-link' | 'verification-link'): Promise<Made> {
  const account = await anAccount(making)
  const { body } = await making.admin.ask('POST', `/api/accounts/${account['id']}/${kind}`)
  return { token: tokenIn(body.url) }
}

async function anInvitation({ admin }: Making): Promise<Made> {
  const { body } = await admin.ask('POST', '/api/invitations', {})
  return { id: body.invitation.id, token: tokenIn(body.url) }
}

/** What stands behind the `#` of a link. */
function tokenIn(url: string): string {
  return url.split('#')[1] ?? ''
}
