import { Failure, type Host } from '../host.ts'
import { Ended, refresh } from '../gateway/oauth.ts'
import { underLock } from '../kept/lock.ts'
import {
  type Access,
  forgetRefreshToken,
  keepAccess,
  keepRefreshToken,
  lockOf,
  loginCommand,
  noteAsked,
  noteEarlyRenewal,
  readAccess,
  readRefreshToken,
  type SignIn,
} from '../kept/sign-in-store.ts'

/** A token with less left is renewed: a request that begins with it may take long. */
const MARGIN_MS = 300_000
/** A client that asks again so soon was refused with the token that it got. */
const AGAIN_MS = 60_000
/** Clients that ask before each request ask again without having been refused. */
const EACH_REQUEST_PAUSE_MS = 600_000
const RENEW_WITHIN_MS = 20_000
/** The token that is there is still good, so that a gateway that does not answer is not waited for. */
const EARLY_WITHIN_MS = 5_000
/** A clock that was set back makes the age of a token unknown. */
const CLOCK_TOLERANCE_MS = 60_000

type Held = Exclude<Access, { readonly ended: string }>

/** Who asks for the token: a client that keeps it, one that asks before each request, or this program itself. */
export type Asker = 'client' | 'client_each_request' | 'this_program'

/** An access token that the gateway takes. From the cache without any network while it is good. */
export async function accessToken(host: Host, signIn: SignIn, asker: Asker): Promise<string> {
  const access = readAccess(host, signIn.address)
  if (access !== null && 'ended' in access) throw endedFailure(signIn, access.ended)
  const askedBeforeMs = asker === 'this_program' ? null : noteAsked(host, signIn.address)
  if (access === null || !isGood(host, access)) return renew(host, signIn, { seen: access })
  const wasRefused = askedBeforeMs !== null && host.nowMs() - askedBeforeMs < AGAIN_MS
  if (!wasRefused || host.nowMs() - access.renewedAtMs < AGAIN_MS) return access.token
  const pauseMs = asker === 'client_each_request' ? EACH_REQUEST_PAUSE_MS : AGAIN_MS
  return renew(host, signIn, { seen: access, pauseMs })
}

/** Another access token, after the gateway has refused the one that is there. */
export async function renewedToken(host: Host, signIn: SignIn): Promise<string> {
  const access = readAccess(host, signIn.address)
  if (access !== null && 'ended' in access) throw endedFailure(signIn, access.ended)
  return renew(host, signIn, { seen: access })
}

function isGood(host: Host, { expiresAtMs, renewedAtMs }: Held): boolean {
  const nowMs = host.nowMs()
  return expiresAtMs - nowMs > MARGIN_MS && renewedAtMs <= nowMs + CLOCK_TOLERANCE_MS
}

/** `pauseMs`: the token is still good by the clock, and is renewed only when that was not done for so long. */
async function renew(
  host: Host,
  signIn: SignIn,
  { seen, pauseMs }: { readonly seen: Held | null; readonly pauseMs?: number },
): Promise<string> {
  return underLock(lockOf(host, signIn.address), host, async () => {
    const held = readAccess(host, signIn.address)
    if (held !== null && 'ended' in held) throw endedFailure(signIn, held.ended)
    // Another process was faster.
    if (held !== null && held.token !== seen?.token && isGood(host, held)) return held.token
    if (pauseMs !== undefined && held !== null) {
      const beforeMs = noteEarlyRenewal(host, signIn.address)
      if (beforeMs !== null && host.nowMs() - beforeMs < pauseMs) return held.token
    }
    try {
      return await renewNow(host, signIn, pauseMs === undefined ? RENEW_WITHIN_MS : EARLY_WITHIN_MS)
    } catch (error) {
      if (error instanceof Ended) {
        keepAccess(host, signIn.address, { ended: error.message })
        await forgetRefreshToken(host, signIn)
        throw endedFailure(signIn, error.message)
      }
      if (held !== null && held.expiresAtMs > host.nowMs()) return held.token
      throw error
    }
  })
}

async function renewNow(host: Host, signIn: SignIn, withinMs: number): Promise<string> {
  const tokens = await refresh(signIn.tokenEndpoint, await readRefreshToken(host, signIn), withinMs)
  // The secret first: without it the sign-in is lost, without the other one request more is made.
  await keepRefreshToken(host, signIn, tokens.refreshToken)
  const nowMs = host.nowMs()
  keepAccess(host, signIn.address, {
    token: tokens.accessToken,
    expiresAtMs: nowMs + tokens.expiresInMs,
    renewedAtMs: nowMs,
  })
  return tokens.accessToken
}

/** `reason`: what the gateway says, which may have a remedy behind it that is another client’s. */
function endedFailure({ address }: SignIn, reason: string): Failure {
  const cause = reason.replace(/(?:^|\s)Sign in again\b.*$/s, '').replace(/[.:\s]*$/, '')
  const why = cause === '' ? '' : ` ${cause}.`
  return new Failure(`Your sign-in at ${address} has ended.${why} Sign in again: ${loginCommand(address)}`)
}
