import type { IncomingHttpHeaders } from 'node:http'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { KeyRing } from '../../access/key-ring.ts'
import { broughtSecret } from '../../access/brought-key.ts'
import { canonicalKey } from '../../access/imported-keys.ts'
import {
  type AccessTokenContent,
  DEVICE_ACCESS_PREFIX,
  deviceHash,
  type DeviceTokens,
  hasTokenForm,
} from '../../access/device-tokens.ts'
import { diagnose } from '../../access/key-secret.ts'
import { endedToken } from '../../access/key-stop.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { strangerFacts } from '../../causes/stranger-key.ts'
import type { Clock } from '../../core/clock.ts'
import type { Fault } from '../../core/faults.ts'
import { CREDENTIAL_LIMIT_CHARACTERS } from '../../core/limits.ts'
import { storeIsAway } from '../../core/plain-fault.ts'
import type { ClientRequest, ClientSocket } from '../client-connection.ts'
import { type BadCredentialThrottle, presented, type PresentedSecret, presentedToken } from './bad-credentials.ts'

export interface CallerFinder {
  readonly ring: Pick<KeyRing, 'find' | 'load' | 'isCurrent' | 'isReplaced'>
  readonly hashSecret: (secret: string) => string
  readonly throttle: BadCredentialThrottle
  /** Keys of other gateways were imported, which clients send in several forms; absent: none were. */
  readonly hasImportedKeys?: () => boolean
  /** Keys are left that are stored by the hash of another gateway alone; absent: none are. */
  readonly hasBroughtKeys?: () => boolean
  /** Reads the access tokens of devices; absent: there are none. */
  readonly tokens?: Pick<DeviceTokens, 'readAccessToken'> & Pick<Clock, 'now'>
  /** The secret from before a rotation is still in use. */
  readonly onPreviousSecret: (caller: KeyWithOwner) => void
}

/**
 * Who is calling: the key named by the first credential header that is present, in the order of the contract. Throws, or
 * rejects with, the Fault that says what is wrong with the credential. Answers at once when the key is in memory.
 */
export function findCaller(
  request: ClientRequest,
  address: string,
  finder: CallerFinder,
): KeyWithOwner | Promise<KeyWithOwner> {
  const secret = presentedSecret(request.headers)
  if (secret === null) throw explainedFault('key_missing', {})
  if (secret.length > CREDENTIAL_LIMIT_CHARACTERS) throw finder.throttle.count(address, tooLong(secret))
  const given = givenOn(request.socket, secret, finder)
  const found = finder.throttle.guard(address, given, () => lookUp(given, finder))
  return found instanceof Promise ? found.then((caller) => noted(caller, finder)) : noted(found, finder)
}

function noted(caller: KeyWithOwner, finder: CallerFinder): KeyWithOwner {
  if (caller.isByPreviousSecret === true) finder.onPreviousSecret(caller)
  return caller
}

/** The key that a secret opens, or the Fault that says why it opens none. */
function lookUp(given: PresentedSecret, finder: CallerFinder): KeyWithOwner | Fault | Promise<KeyWithOwner | Fault> {
  // The usual case first: a key in memory needs no diagnosis.
  const found = finder.ring.find(given.hash)
  if (given.token !== null) return ofToken(given.token, found, finder)
  if (found) return found
  const mayBeBrought = finder.hasBroughtKeys?.() === true
  const other = otherHash(given.secret, finder)
  if (given.secret.startsWith(DEVICE_ACCESS_PREFIX)) return faultOfToken(given.secret)
  const isOfOneForm = !mayBeBrought && other === null
  if (isOfOneForm && (found === null || diagnose(given.secret).kind === 'malformed')) return faultOfNoKey(given, finder)
  const first = { hash: given.hash, mayBeBrought }
  return findByForms(other === null ? [first] : [first, { hash: other, mayBeBrought: false }], given, finder)
}

/** The key of a device whose access token was presented, as far as the token is good by now. */
function ofToken(
  token: AccessTokenContent,
  found: KeyWithOwner | null | undefined,
  { ring, tokens }: CallerFinder,
): KeyWithOwner | Fault | Promise<KeyWithOwner | Fault> {
  const judged = (caller: KeyWithOwner | null) => {
    if (caller === null) return endedToken(null)
    // Why a key may not be used is said by its own state first.
    if (caller.key.status !== 'active') return caller
    if (tokens !== undefined && tokens.now() >= token.expiresAt) return endedToken(token.expiresAt)
    return caller.key.device?.epoch === token.epoch ? caller : endedToken(null)
  }
  if (found !== undefined) return judged(found)
  const { keyId } = token
  return ring.load(deviceHash(keyId)).catch(storeIsAway).then(judged)
}

/** A form of a secret that is looked for. `mayBeBrought`: by the hash too that another gateway would have of it. */
interface SoughtForm {
  readonly hash: string
  readonly mayBeBrought: boolean
}

/** The hash of the form in which keys of new-api and one-api are stored; null: none were imported, or the secret has that form. */
function otherHash(secret: string, { hasImportedKeys, hashSecret }: CallerFinder): string | null {
  if (hasImportedKeys?.() !== true) return null
  const canonical = canonicalKey(secret)
  return canonical === null || canonical === secret ? null : hashSecret(canonical)
}

/** Finds the key by the first form that one has, by which the secret is looked up on this connection from then on. */
async function findByForms(
  forms: readonly SoughtForm[],
  given: PresentedSecret,
  finder: CallerFinder,
): Promise<KeyWithOwner | Fault> {
  const { ring } = finder
  for (const { hash, mayBeBrought } of forms) {
    const inMemory = ring.find(hash, mayBeBrought)
    const brought = mayBeBrought ? broughtSecret(given.secret) : undefined
    const found = inMemory === undefined ? await ring.load(hash, brought).catch(storeIsAway) : inMemory
    if (found === null) continue
    given.hash = hash
    return found
  }
  return faultOfNoKey(given, finder)
}

function faultOfNoKey({ secret, hash }: PresentedSecret, { ring }: CallerFinder): Fault {
  const shape = diagnose(secret)
  if (shape.kind === 'malformed') return explainedFault('key_malformed', shape.facts)
  if (ring.isReplaced(hash)) return explainedFault('key_expired', { replaced: true, end: secret.slice(-4) })
  return explainedFault('key_unknown', strangerFacts(secret))
}

/** A text that begins as access tokens of devices do, and is none of this installation’s. */
function faultOfToken(text: string): Fault {
  return hasTokenForm(text)
    ? explainedFault('key_unknown', { device: true })
    : explainedFault('key_malformed', { device: true })
}

/** Connections carry one key again and again; its hash is made once for each. Both go with the connection. */
const latestOn = new WeakMap<ClientSocket, PresentedSecret>()

function givenOn(socket: ClientSocket, secret: string, finder: CallerFinder): PresentedSecret {
  const latest = latestOn.get(socket)
  if (latest?.secret === secret) return latest
  const token = secret.startsWith(DEVICE_ACCESS_PREFIX) ? (finder.tokens?.readAccessToken(secret) ?? null) : null
  const given = token === null ? presented(secret, finder.hashSecret(secret)) : presentedToken(secret, token)
  latestOn.set(socket, given)
  return given
}

/** Nothing else is said of it: whatever looks at a text looks at each of its characters. */
function tooLong({ length }: string): Fault {
  return explainedFault('key_malformed', { mistake: 'too_long', length })
}

/** What the request presents as its key, of any length, in the order of the contract; null: nothing. */
export function presentedSecret(headers: IncomingHttpHeaders): string | null {
  return bearer(headers.authorization) ?? header(headers, 'x-api-key') ?? header(headers, 'x-goog-api-key')
}

/** What stands behind `Bearer`; null where nothing does, as with a variable that is not set. */
function bearer(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  const start = blanksFrom(authorization, 0)
  const isScheme = authorization.slice(start, start + BEARER.length).toLowerCase() === BEARER
  if (blanksFrom(authorization, isScheme ? start + BEARER.length : start) === authorization.length) return null
  if (isScheme && start === 0 && authorization[BEARER.length] === ' ') return authorization.slice(BEARER.length + 1)
  return /^(?:basic|digest|negotiate)\b/i.test(authorization) ? null : authorization
}

const BEARER = 'bearer'

/** Where the white space that begins at `start` ends. A loop: a pattern that ends in `\s*$` goes back over all of it. */
function blanksFrom(text: string, start: number): number {
  let end = start
  while (end < text.length && /\s/.test(text.charAt(end))) end += 1
  return end
}

function header(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name]
  if (typeof value === 'string' && value !== '') return value
  return null
}
