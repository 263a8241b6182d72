import type { Asked, Call, InnerRequest } from '../call.ts'
import { notSignedIn, SignInRefusal } from '../refusal.ts'
import { within } from './authenticators.ts'
import { ADDRESS_HEADER, BEGAN_BY_HEADER, INVITATION_HEADER } from './inner-names.ts'

/** Waits for the OIDC provider included. */
const ANSWERED_WITHIN_MS = 15_000

/** Throws SignInRefusal for what better-auth refuses. */
export async function askAuthenticator(call: Omit<Call, 'ask'>, inner: InnerRequest): Promise<Asked> {
  const { origin } = call.from
  const isSecure = origin.startsWith('https:')
  const authenticator =
    inner.usesOidc === true
      ? await call.authenticators.withOidc({ isSecure })
      : await call.authenticators.of({ isSecure })
  const answer = await within(ANSWERED_WITHIN_MS, authenticator.handler(innerRequest(call, inner)))
  if (answer === null) {
    throw new SignInRefusal('oidc_unavailable', 'The OIDC provider does not answer right now: try again in a moment.')
  }
  const text = await answer.text()
  const parsed: unknown = text === '' ? null : JSON.parse(text)
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  if (answer.status >= 400) throw translated(answer.status, body)
  return { body, cookies: answer.headers.getSetCookie(), location: answer.headers.get('location') }
}

/** Made anew, so that nothing reaches better-auth which we did not put there. */
function innerRequest({ request, from }: Omit<Call, 'ask'>, inner: InnerRequest): Request {
  const headers = new Headers({
    host: new URL(from.origin).host,
    origin: from.origin,
    [ADDRESS_HEADER]: from.address,
  })
  const cookie = request.headers.get('cookie')
  if (cookie !== null) headers.set('cookie', cookie)
  headers.set('user-agent', (request.headers.get('user-agent') ?? '').slice(0, CLIENT_KEPT))
  if (inner.beganBy !== undefined) headers.set(BEGAN_BY_HEADER, inner.beganBy)
  if (inner.invitation !== undefined) headers.set(INVITATION_HEADER, inner.invitation)
  if (inner.body !== undefined) headers.set('content-type', 'application/json')
  return new Request(`${from.origin}/api/auth${inner.path}`, {
    method: inner.method,
    headers,
    ...(inner.body === undefined ? {} : { body: JSON.stringify(inner.body) }),
  })
}

/** So much of how a browser names itself is kept with its session. */
const CLIENT_KEPT = 400
const LOCKED_FOR_S = 15 * 60

/** better-auth's codes as ours. Its messages are not passed on. */
function translated(status: number, body: Readonly<Record<string, unknown>>): SignInRefusal {
  const code = typeof body['code'] === 'string' ? body['code'] : ''
  return REFUSALS[code]?.() ?? unexpected(status, code)
}

const wrongCode = () =>
  new SignInRefusal('second_step_wrong', 'This code is not right, or was used already: take the one shown now.')
const stepExpired = () =>
  new SignInRefusal('second_step_expired', 'The second step took too long or was tried too often: sign in again.')
const passkeyRefused = () =>
  new SignInRefusal('passkey_refused', 'This passkey is not known here, or did not answer in time: try again.')

const REFUSALS: Readonly<Record<string, () => SignInRefusal>> = {
  ACCOUNT_DISABLED: () =>
    new SignInRefusal('account_disabled', 'This account is disabled: ask an admin of this gateway.'),
  UNAUTHORIZED: notSignedIn,
  USER_NOT_FOUND: notSignedIn,
  INVALID_CODE: wrongCode,
  INVALID_BACKUP_CODE: wrongCode,
  INVALID_TWO_FACTOR_COOKIE: stepExpired,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: stepExpired,
  ACCOUNT_TEMPORARILY_LOCKED: () =>
    new SignInRefusal('sign_in_throttled', 'Too many wrong codes for this account: wait 15 minutes.', {
      retryAfterSeconds: LOCKED_FOR_S,
    }),
  TOTP_ALREADY_ENABLED: () => new SignInRefusal('totp_already_on', 'The second step is on: turn it off first.'),
  TOTP_NOT_ENABLED: () => new SignInRefusal('totp_not_on', 'There is no second step to use: start it first.'),
  TWO_FACTOR_NOT_ENABLED: () => new SignInRefusal('totp_not_on', 'There is no second step to use: start it first.'),
  BACKUP_CODES_NOT_ENABLED: () => new SignInRefusal('totp_not_on', 'There are no backup codes to use.'),
  CHALLENGE_NOT_FOUND: passkeyRefused,
  PASSKEY_NOT_FOUND: passkeyRefused,
  AUTHENTICATION_FAILED: passkeyRefused,
  FAILED_TO_VERIFY_REGISTRATION: passkeyRefused,
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: passkeyRefused,
}

function unexpected(status: number, code: string): SignInRefusal {
  const cause = new Error(`better-auth answered ${status} ${code}`)
  return Object.assign(new SignInRefusal('internal', 'Something went wrong here: try again.'), { cause })
}
