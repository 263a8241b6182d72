import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { cookieIn, cookieLine } from '../authenticator/inner-names.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import type { SignInSecrets } from '../oidc/oidc-provider.ts'

/** How long a person may be at the provider. */
export const STATE_LIVES_MS = 10 * 60_000
const STATE_BYTES = 32
/** Browsers keep cookies of 4,096 bytes; the name and what belongs to a cookie need some. */
const COOKIE_LIMIT = 3_800

/** What a sign-in at the OIDC provider is for. */
export interface SignInPurpose {
  /** Where the console goes on. */
  readonly returnTo: string
  /** The account that the provider is to be linked to; null: it is to be signed in. */
  readonly linkTo: string | null
}

const kept = z.object({ state: z.string(), returnTo: z.string(), linkTo: z.string().nullable(), until: z.number() })

type StatePayload = z.output<typeof kept>

/**
 * Begins a sign-in at the provider, of which nothing is written here: a signed cookie has what it is for. Nonce and verifier
 * are made of the state, which is random, by a key of this installation.
 */
export function beginState(
  { parts, origin }: SignInRequest,
  { returnTo, linkTo }: SignInPurpose,
  instead: string,
): { readonly secrets: SignInSecrets; readonly cookie: string } {
  const state = parts.randomBytes(STATE_BYTES).toString('base64url')
  const written = (to: string) => {
    const about: StatePayload = { state, returnTo: to, linkTo, until: parts.clock.now() + STATE_LIVES_MS }
    const payload = Buffer.from(JSON.stringify(about)).toString('base64url')
    return `${payload}.${parts.hashes.link(`${OF_COOKIE} ${payload}`)}`
  }
  const whole = written(returnTo)
  const value = whole.length > COOKIE_LIMIT ? written(instead) : whole
  return {
    secrets: secretsOf(parts, state),
    cookie: cookieLine(origin, STATE, { value, lifeS: STATE_LIVES_MS / 1_000 }),
  }
}

/** The sign-in that a return with this state ends; null: this browser began none, or too long ago. */
export function readState(
  request: SignInRequest,
  state: string,
): (SignInPurpose & { readonly secrets: SignInSecrets }) | null {
  const [payload = '', mac = ''] = cookieIn(request, STATE).split('.')
  const { parts } = request
  if (!isSame(mac, parts.hashes.link(`${OF_COOKIE} ${payload}`))) return null
  const about = kept.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  if (!isSame(about.state, state) || about.until <= parts.clock.now()) return null
  return { returnTo: about.returnTo, linkTo: about.linkTo, secrets: secretsOf(parts, state) }
}

export function forgetState(origin: string): string {
  return cookieLine(origin, STATE, { value: '', lifeS: 0 })
}

/** The cookie that holds what a sign-in at the OIDC provider is for, signed. */
const STATE = 'oauth_state'
const OF_COOKIE = 'oidc state cookie'

function secretsOf({ hashes }: SignInRequest['parts'], state: string): SignInSecrets {
  return { state, nonce: hashes.link(`oidc nonce ${state}`), verifier: hashes.link(`oidc verifier ${state}`) }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const INVITATION = 'invitation'
const INVITATION_FORM = /^[\w-]{20,128}$/

/**
 * Keeps an invitation while its holder is at the OIDC provider; empty: forgets it. What cannot be one is forgotten as well: it
 * is the sender's own text.
 */
export function keepInvitation(origin: string, given: string): string {
  if (!INVITATION_FORM.test(given)) return cookieLine(origin, INVITATION, { value: '', lifeS: 0 })
  return cookieLine(origin, INVITATION, { value: given, lifeS: STATE_LIVES_MS / 1_000 })
}

/** Empty: there is none. */
export function invitationIn(request: Pick<SignInRequest, 'headers' | 'origin'>): string {
  const given = cookieIn(request, INVITATION)
  return INVITATION_FORM.test(given) ? given : ''
}
