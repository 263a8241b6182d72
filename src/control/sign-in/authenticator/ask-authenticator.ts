import { bareOrigin } from '../../../core/site-path.ts'
import { notSignedIn, Problem } from '../../problem.ts'
import type { SignedIn } from '../parts.ts'
import type { Authenticators } from './authenticators.ts'
import { innerCalls } from './inner-call.ts'
import { ADDRESS_HEADER, BEGAN_BY_HEADER, isSecureOrigin } from './inner-names.ts'

interface InnerRequest {
  readonly path: string
  readonly body: object | undefined
  readonly beganBy: string | undefined
}

/** What better-auth answered. */
export interface AuthenticatorAnswer {
  readonly body: Readonly<Record<string, unknown>>
  /** Set-Cookie lines. */
  readonly cookies: readonly string[]
}

/** What of a request to a route goes on to better-auth. */
interface OuterRequest {
  readonly authenticators: Authenticators
  readonly headers: Headers
  readonly address: string
  readonly origin: string
  readonly signedIn: SignedIn | null
}

/** Throws Problem for what better-auth refuses. */
export async function askAuthenticator(request: OuterRequest, inner: InnerRequest): Promise<AuthenticatorAnswer> {
  const { authenticators } = request
  const isSecure = isSecureOrigin(request.origin)
  const authenticator = await authenticators.of({ isSecure })
  const { address, signedIn } = request
  const call = { address, signedIn, path: inner.path }
  const answer = await innerCalls.run(call, () => authenticator.handler(innerRequest(request, inner)))
  const text = await answer.text()
  const parsed: unknown = text === '' ? null : JSON.parse(text)
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  if (answer.status >= 400) throw translated(answer.status, body)
  return { body, cookies: answer.headers.getSetCookie() }
}

/** Made anew, so that only what we put into it reaches better-auth, which knows of no path that we are served under. */
function innerRequest(outer: OuterRequest, inner: InnerRequest): Request {
  const { headers: given, address } = outer
  const origin = bareOrigin(outer.origin)
  const headers = new Headers({
    host: new URL(origin).host,
    origin,
    [ADDRESS_HEADER]: address,
  })
  const cookie = given.get('cookie')
  if (cookie !== null) headers.set('cookie', cookie)
  headers.set('user-agent', (given.get('user-agent') ?? '').slice(0, CLIENT_KEPT))
  if (inner.beganBy !== undefined) headers.set(BEGAN_BY_HEADER, inner.beganBy)
  if (inner.body !== undefined) headers.set('content-type', 'application/json')
  const sent = inner.body === undefined ? {} : { method: 'POST', body: JSON.stringify(inner.body) }
  return new Request(`${origin}/api/auth${inner.path}`, { headers, ...sent })
}

/** So much of how a browser names itself is kept with its session. */
const CLIENT_KEPT = 400
const LOCKED_FOR_S = 15 * 60

/** better-auth's codes as ours. Its messages are not passed on; an unknown code is a defect of ours. */
function translated(status: number, body: Readonly<Record<string, unknown>>): Error {
  const code = typeof body['code'] === 'string' ? body['code'] : ''
  return REFUSALS[code]?.() ?? new Error(`better-auth answered ${status} ${code}`)
}

const wrongCode = () =>
  new Problem('second_step_wrong', 'This code is wrong, or was already used: enter the one shown now.')
const stepExpired = () =>
  new Problem('second_step_expired', 'The second step took too long or was tried too often: sign in again.')
const passkeyRefused = () =>
  new Problem('passkey_refused', 'This passkey is unknown here, or did not respond in time: try again.')

const REFUSALS: Readonly<Record<string, () => Problem>> = {
  ACCOUNT_DISABLED: () => new Problem('account_disabled', 'This account is disabled: ask an admin of this server.'),
  UNAUTHORIZED: notSignedIn,
  USER_NOT_FOUND: notSignedIn,
  INVALID_CODE: wrongCode,
  INVALID_BACKUP_CODE: wrongCode,
  INVALID_TWO_FACTOR_COOKIE: stepExpired,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: stepExpired,
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new Problem('credential_throttled', 'Too many wrong codes for this account: wait 15 minutes.', {
      retryAfterSeconds: LOCKED_FOR_S,
    }),
  TOTP_ALREADY_ENABLED: () => new Problem('totp_already_on', 'Two-step sign-in is on: turn it off first.'),
  TOTP_NOT_ENABLED: () => new Problem('totp_not_on', 'Two-step sign-in is off: start it first.'),
  TWO_FACTOR_NOT_ENABLED: () => new Problem('totp_not_on', 'Two-step sign-in is off: start it first.'),
  BACKUP_CODES_NOT_ENABLED: () => new Problem('totp_not_on', 'There are no backup codes to use.'),
  CHALLENGE_NOT_FOUND: passkeyRefused,
  PASSKEY_NOT_FOUND: passkeyRefused,
  AUTHENTICATION_FAILED: passkeyRefused,
  FAILED_TO_VERIFY_REGISTRATION: passkeyRefused,
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: passkeyRefused,
}
