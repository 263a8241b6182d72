import type { IncomingHttpHeaders } from 'node:http'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { KeyRing } from '../../access/key-ring.ts'
import { broughtSecret } from '../../access/brought-key.ts'
import { canonicalKey } from '../../access/imported-keys.ts'
import { diagnose } from '../../access/key-secret.ts'
import { explainedFault } from '../../causes/explained-fault.ts'
import { strangerFacts } from '../../causes/stranger-key.ts'
import type { Fault } from '../../core/faults.ts'
import { CREDENTIAL_LIMIT_CHARACTERS } from '../../core/limits.ts'
import { plainFault } from '../../core/plain-fault.ts'
import type { ClientRequest, ClientSocket } from '../client-connection.ts'
import { type BadCredentialThrottle, presented, type PresentedSecret } from './bad-credentials.ts'

export interface CallerFinder {
  readonly ring: Pick<KeyRing, 'find' | 'load' | 'isCurrent' | 'isReplaced'>
  readonly hashSecret: (secret: string) => string
  readonly throttle: BadCredentialThrottle
  /** Keys of other gateways were imported, which clients send in several forms; absent: none were. */
  readonly hasImportedKeys?: () => boolean
  /** Keys are left that are stored by the hash of another gateway alone; absent: none are. */
  readonly hasBroughtKeys?: () => boolean
  /** The secret from before a rotation is still in use. */
  readonly onPreviousSecret: (caller: KeyWithOwner) => void
}

/**
 * Who is calling: the key named by the first credential header that is present, in the order of the contract. Throws the
 * Fault that says what is wrong with the credential. Answers at once when the key is in memory.
 */
export function findCaller(
  request: ClientRequest,
  address: string,
  finder: CallerFinder,
): KeyWithOwner | Promise<KeyWithOwner> {
  const secret = presentedSecret(request.headers)
  if (secret === null) {
    throw explainedFault('key_missing', {})
  }
  if (secret.length > CREDENTIAL_LIMIT_CHARACTERS) throw finder.throttle.count(address, tooLong(secret))
  const given = givenOn(request.socket, secret, finder)
  finder.throttle.refuseGuess(address, given)
  // The usual case first: a key in memory needs no diagnosis.
  const found = finder.ring.find(given.hash)
  if (found) return letIn(found, given, { address, finder })
  const forms = importedForms(given, finder)
  if (forms !== null) return findByForms(forms, { address, socket: request.socket, finder })
  const shape = diagnose(secret)
  if (shape.kind === 'malformed') throw finder.throttle.count(address, explainedFault('key_malformed', shape.facts))
  if (found === undefined) return loadCaller(given, { address, finder })
  return known(found, given, { address, finder })
}

/** How a key is looked for. `mayBeBrought`: by the hash too that another gateway would have of it. */
interface SoughtForm {
  readonly given: PresentedSecret
  readonly mayBeBrought: boolean
}

type SoughtForms = readonly [SoughtForm, ...(readonly SoughtForm[])]

/** The forms in which imported keys may have the secret, that in which it was presented first; null: no more than that one. */
function importedForms(given: PresentedSecret, finder: CallerFinder): SoughtForms | null {
  const mayBeBrought = finder.hasBroughtKeys?.() === true
  const other = otherForm(given.secret, finder)
  if (!mayBeBrought && other === null) return null
  return [{ given, mayBeBrought }, ...(other === null ? [] : [{ given: other, mayBeBrought: false }])]
}

/** The secret by the form in which keys of new-api and one-api are stored; null: none were imported, or it has that form. */
function otherForm(secret: string, { hasImportedKeys, hashSecret }: CallerFinder): PresentedSecret | null {
  if (hasImportedKeys?.() !== true) return null
  const canonical = canonicalKey(secret)
  return canonical === null || canonical === secret ? null : presented(secret, hashSecret(canonical))
}

/** Finds the caller by the first form that a key has, which is then what this connection presents. */
async function findByForms(
  forms: SoughtForms,
  context: Context & { readonly socket: ClientSocket },
): Promise<KeyWithOwner> {
  const { finder, socket } = context
  for (const { given, mayBeBrought } of forms) {
    const inMemory = finder.ring.find(given.hash, mayBeBrought)
    const found = inMemory === undefined ? await load(given, context, mayBeBrought) : inMemory
    if (found === null) continue
    latestOn.set(socket, given)
    return letIn(found, given, context)
  }
  const [{ given }] = forms
  const shape = diagnose(given.secret)
  if (shape.kind === 'malformed')
    throw finder.throttle.count(context.address, explainedFault('key_malformed', shape.facts))
  return known(null, given, context)
}

/** Connections carry one key again and again; its hash is made once for each. Both go with the connection. */
const latestOn = new WeakMap<ClientSocket, PresentedSecret>()

function givenOn(socket: ClientSocket, secret: string, finder: CallerFinder): PresentedSecret {
  const latest = latestOn.get(socket)
  if (latest?.secret === secret) return latest
  const given = presented(secret, finder.hashSecret(secret))
  latestOn.set(socket, given)
  return given
}

interface Context {
  readonly address: string
  readonly finder: CallerFinder
}

async function loadCaller(given: PresentedSecret, context: Context): Promise<KeyWithOwner> {
  return known(await load(given, context), given, context)
}

async function load(
  { hash, secret }: PresentedSecret,
  { finder }: Context,
  mayBeBrought = false,
): Promise<KeyWithOwner | null> {
  try {
    return await finder.ring.load(hash, mayBeBrought ? broughtSecret(secret) : undefined)
  } catch (cause) {
    throw plainFault('store_unavailable', { cause })
  }
}

function known(found: KeyWithOwner | null, given: PresentedSecret, context: Context): KeyWithOwner {
  if (found !== null) return letIn(found, given, context)
  const { secret, hash } = given
  const { ring, throttle } = context.finder
  if (ring.isReplaced(hash)) {
    throttle.refuseGuess(context.address, given)
    throw explainedFault('key_expired', { replaced: true, end: secret.slice(-4) })
  }
  throw throttle.count(context.address, explainedFault('key_unknown', strangerFacts(secret)))
}

/** Throws the Fault for a key that came as a guess among too many. */
function letIn(caller: KeyWithOwner, given: PresentedSecret, { address, finder }: Context): KeyWithOwner {
  finder.throttle.refuseGuess(address, given)
  finder.throttle.noteUse(address, given)
  if (caller.isByPreviousSecret === true) finder.onPreviousSecret(caller)
  return caller
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
