/** The sign-in of a device at a gateway: OAuth 2.0 device authorization (RFC 8628), refresh and revocation (RFC 7009). */
import { Failure } from '../host.ts'
import { endpointOf, pageOf } from './address.ts'
import { type Answer, ask, type Fields, numberOf, saidIn, textOf, Unreachable } from './ask.ts'
import { shown } from './shown.ts'

export interface Endpoints {
  readonly device: string
  readonly token: string
  readonly revocation: string | null
}

/** What a person has to do at the approval page. */
export interface Request {
  readonly deviceCode: string
  readonly userCode: string
  readonly page: string
  readonly pageWithCode: string | null
  readonly notice: string | null
  readonly withinMs: number
  readonly intervalMs: number
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInMs: number
  readonly email: string | null
}

/** A sign-in that the gateway has ended: no refresh brings it back. */
export class Ended extends Failure {}

const LONGEST_WAIT_MS = 1_800_000
const LEAST_INTERVAL_MS = 1_000
const MOST_INTERVAL_MS = 60_000
const LONGEST_TOKEN_MS = 7 * 24 * 3_600_000

/** The endpoints of the gateway. Throws where something else answers at the address. */
export async function discover(address: string): Promise<Endpoints> {
  const { status, body } = await ask({ url: `${address}/.well-known/oauth-authorization-server` })
  if (status === 404) {
    throw new Failure(
      `${address} offers no sign-in from clients: its admin has switched it off, or it is not a Tollgate of this version.`,
    )
  }
  if (status !== 200 || body === null) throw notAGateway(address, status)
  const device = endpointOf(address, body['device_authorization_endpoint'])
  const token = endpointOf(address, body['token_endpoint'])
  if (device === null || token === null) {
    throw new Failure(`${address} names another host for its sign-in, so nothing is sent there.`)
  }
  return { device, token, revocation: endpointOf(address, body['revocation_endpoint']) }
}

/** Asks for a code that a person approves in a browser. */
export async function requestCode(
  endpoints: Endpoints,
  names: { readonly client: string; readonly device: string },
): Promise<Request> {
  const form = { surface: 'tollgate_cli', client_name: names.client, device_name: names.device }
  const answer = await ask({ url: endpoints.device, form })
  const { status, body } = answer
  if (status !== 200 || body === null) {
    throw new Failure(`The gateway gives no code for a sign-in (${status}).${said(answer)}`)
  }
  const deviceCode = textOf(body, 'device_code')
  const userCode = textOf(body, 'user_code', 40)
  const page = pageOf(body['verification_uri'])
  if (deviceCode === null || userCode === null || !/^[A-Za-z0-9-]{4,24}$/.test(userCode) || page === null) {
    throw new Failure('The gateway’s answer to the sign-in is not one that this program accepts: nothing is opened.')
  }
  const complete = pageOf(body['verification_uri_complete'])
  const notice = textOf(body, 'login_notice')
  return {
    deviceCode,
    userCode,
    page,
    pageWithCode: complete !== null && new URL(complete).origin === new URL(page).origin ? complete : null,
    notice: notice === null ? null : shown(notice),
    withinMs: within((numberOf(body, 'expires_in') ?? 600) * 1000, LONGEST_WAIT_MS),
    intervalMs: Math.max(within((numberOf(body, 'interval') ?? 5) * 1000, MOST_INTERVAL_MS), LEAST_INTERVAL_MS),
  }
}

/** One question whether the code was approved: tokens, or how much longer to wait between questions. */
export async function poll(
  endpoints: Endpoints,
  { deviceCode }: Request,
): Promise<Tokens | { readonly slowerByMs: number }> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const answer = await ask({ url: endpoints.token, form: { grant_type, device_code: deviceCode } }).catch(noAnswer)
  if (answer === null || answer.status >= 500 || answer.status === 429) return { slowerByMs: 0 }
  const code = textOf(answer.body, 'error', 100)
  if (code === 'authorization_pending') return { slowerByMs: 0 }
  if (code === 'slow_down') return { slowerByMs: 5_000 }
  if (code === 'access_denied') throw new Failure('The sign-in was refused in the browser.')
  if (code === 'expired_token') throw new Failure('The code has expired: run the command again.')
  return tokensIn(answer) ?? refuse(answer)
}

function noAnswer(error: unknown): null {
  if (error instanceof Unreachable) return null
  throw error
}

/** Trades the refresh token for new tokens. Throws Ended where the gateway says so, and nothing else means that. */
export async function refresh(tokenEndpoint: string, refreshToken: string, withinMs: number): Promise<Tokens> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const answer = await ask({ url: tokenEndpoint, form, withinMs })
  const tokens = tokensIn(answer)
  if (tokens !== null) return tokens
  if ((answer.status === 400 || answer.status === 401) && textOf(answer.body, 'error', 100) === 'invalid_grant') {
    throw new Ended(textOf(answer.body, 'error_description') === null ? '' : (saidIn(answer) ?? ''))
  }
  throw new Failure(`The gateway does not renew the sign-in now (${answer.status}).${said(answer)}`)
}

/** Ends the sign-in at the gateway. Resolves with false where the gateway could not be asked. */
export async function revoke(endpoint: string, refreshToken: string): Promise<boolean> {
  const form = { token: refreshToken, token_type_hint: 'refresh_token' }
  const answer = await ask({ url: endpoint, form, withinMs: 10_000 }).catch(noAnswer)
  return answer?.status === 200
}

function tokensIn({ status, body }: Answer): Tokens | null {
  const accessToken = secretIn(body, 'access_token')
  const refreshToken = secretIn(body, 'refresh_token')
  const expiresIn = numberOf(body, 'expires_in')
  if (status !== 200 || accessToken === null || refreshToken === null || expiresIn === null) return null
  const email = textOf(body, 'email', 320)
  return {
    accessToken,
    refreshToken,
    expiresInMs: within(expiresIn * 1000, LONGEST_TOKEN_MS),
    email: email === null ? null : shown(email, 320),
  }
}

/** A secret as it may stand in a header and a line of its own. */
function secretIn(body: Fields | null, name: string): string | null {
  const value = textOf(body, name)
  return value !== null && /^[\x21-\x7e]+$/.test(value) ? value : null
}

function refuse(answer: Answer): never {
  throw new Failure(`The gateway’s answer to the sign-in cannot be used (${answer.status}).${said(answer)}`)
}

function said(answer: Answer): string {
  const text = saidIn(answer)
  return text === null ? '' : ` It says: ${text}`
}

function notAGateway(address: string, status: number): Failure {
  return new Failure(`${address} does not answer as a gateway does (${status}): check the address.`)
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}
