import { createHash, timingSafeEqual } from 'node:crypto'
import { broughtHashOf } from '../../access/brought-key.ts'
import { ACCESS_TOKEN_PREFIX } from '../../causes/stranger-key.ts'
import { SECRET_PREFIX } from '../../causes/secret-checksum.ts'
import type { Actor } from './actor.ts'
import type { ControlParts } from '../parts.ts'
import { noteInPassing } from '../note-in-passing.ts'
import { notSignedIn, Problem } from '../problem.ts'
import type { CredentialThrottle } from './throttles.ts'

/** What of a request identifies its sender. */
export interface Credentials {
  readonly headers: Headers
  readonly address: string
  readonly origin: string
  readonly nowMs: number
}

export interface AuthenticateParts {
  readonly parts: ControlParts
  readonly throttle: CredentialThrottle
  readonly tokenUse: TokenUse
}

/**
 * Who is calling: by the `Authorization` header where there is one, else by the session of the cookie. Throws the Problem that
 * says what is wrong with the credential.
 */
export async function authenticate(credentials: Credentials, using: AuthenticateParts): Promise<Actor> {
  const authorization = credentials.headers.get('authorization')
  const actor =
    authorization === null
      ? await fromSession(credentials, using.parts)
      : await fromBearer(authorization, credentials, using)
  if (actor.kind !== 'admin_token' && actor.account.status === 'disabled') {
    throw new Problem('account_disabled', 'This account is disabled. Ask an admin of this server.')
  }
  return actor
}

/** When access tokens were used, written down at most once a minute each. */
export class TokenUse {
  readonly #writtenAt = new Map<string, number>()

  /** Whether this use is to be written down. */
  isNews(tokenId: string, nowMs: number): boolean {
    const before = this.#writtenAt.get(tokenId)
    if (before !== undefined && Math.abs(nowMs - before) < USE_WRITTEN_MS) return false
    const [oldest] = this.#writtenAt.size < TOKENS_REMEMBERED ? [] : this.#writtenAt.keys()
    if (oldest !== undefined) this.#writtenAt.delete(oldest)
    this.#writtenAt.delete(tokenId)
    this.#writtenAt.set(tokenId, nowMs)
    return true
  }
}

const USE_WRITTEN_MS = 60_000
const TOKENS_REMEMBERED = 10_000
/** None of our credentials is longer. */
const CREDENTIAL_LIMIT = 4_096

async function fromSession(credentials: Credentials, { signIn }: ControlParts): Promise<Actor> {
  const session = await signIn.sessionOf(credentials)
  if (session === null) throw notSignedIn()
  return { kind: 'session', account: session.account, session }
}

async function fromBearer(authorization: string, credentials: Credentials, using: AuthenticateParts): Promise<Actor> {
  const { parts, throttle } = using
  const secret = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (secret === undefined || secret.length > CREDENTIAL_LIMIT) {
    throw throttle.count(
      credentials.address,
      new Problem('credential_unknown', 'The Authorization header must be "Bearer", a space and an access token.'),
    )
  }
  if (parts.adminToken !== null && isSameSecret(secret, parts.adminToken)) return { kind: 'admin_token' }
  if (!secret.startsWith(ACCESS_TOKEN_PREFIX)) throw throttle.count(credentials.address, await notOurs(secret, parts))
  const found = await parts.store.accessTokens.findByHash(parts.hashes.accessToken(secret))
  if (found === null) {
    throw throttle.count(
      credentials.address,
      new Problem('credential_unknown', 'Unknown access token; it may have been deleted. Create a new one.'),
    )
  }
  const { token, account } = found
  if (token.expiresAt !== null && credentials.nowMs >= token.expiresAt) {
    const at = new Date(token.expiresAt).toISOString()
    throw throttle.count(
      credentials.address,
      new Problem('credential_expired', `The access token "${token.name}" expired at ${at}. Create a new one.`),
    )
  }
  if (using.tokenUse.isNews(token.id, credentials.nowMs)) {
    await noteInPassing(parts.store.accessTokens.used(token.id, credentials.nowMs), parts.log)
  }
  return { kind: 'access_token', account, scope: token.scope }
}

/** Custom keys look like nothing in particular: whether it is one, only the database says. */
async function notOurs(secret: string, { store, hashes }: ControlParts): Promise<Problem> {
  const isApiKey =
    secret.startsWith(SECRET_PREFIX) ||
    (await store.keys.findByHash(hashes.apiKey(secret), broughtHashOf(secret))) !== null
  return isApiKey
    ? new Problem(
        'credential_of_gateway',
        'This is the secret of an API key: it calls models under /v1, and is not a credential of the console API. Create an access token in the console under Account.',
      )
    : new Problem(
        'credential_unknown',
        `This is not a credential of the console API: access tokens begin with ${ACCESS_TOKEN_PREFIX}.`,
      )
}

/** Compares the hashes of two secrets, which are of one length. */
function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
