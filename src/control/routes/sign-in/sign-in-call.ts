import { notSignedIn } from '../../problem.ts'
import type { ApiCall, RouteLimits } from '../../api/route.ts'
import type { ControlParts } from '../../parts.ts'
import { requireSecureAddress } from '../../sign-in/session/own-address.ts'
import type { OwnRequest, SignInRequest } from '../../sign-in/sign-in-request.ts'

/** Limits of routes for the owner of a session. Questions and answers hold secrets, so none is kept to be repeated. */
export const OWN_SESSION = { needsSession: true, isRepeatable: false } as const satisfies Partial<RouteLimits>

/** Limits of routes that need credentials which were shown within the last minutes. */
export const FRESH_SESSION = { ...OWN_SESSION, needsConfirmation: true } as const satisfies Partial<RouteLimits>

/** A call of a route that anyone may use, with the session that its cookie opens, if any. */
export async function signInRequest(call: ApiCall<'anyone'>, { signIn }: ControlParts): Promise<SignInRequest> {
  return signIn.open({ ...aboutOf(call), signedIn: await signIn.sessionOf(call) })
}

/** A call of a route that begins a session, or a step towards one. Throws Problem where its cookie could not be kept. */
export async function beginningRequest(call: ApiCall<'anyone'>, parts: ControlParts): Promise<SignInRequest> {
  requireSecureAddress(call)
  return signInRequest(call, parts)
}

/** A call of a route that needs a session. */
export function ownRequest(call: ApiCall<'account'>, { signIn }: ControlParts): OwnRequest {
  const { actor } = call
  if (actor.kind !== 'session') throw notSignedIn()
  const { session: signedIn } = actor
  return { ...signIn.open({ ...aboutOf(call), signedIn }), signedIn }
}

function aboutOf({ headers, address, origin, setCookies }: ApiCall) {
  return { headers, address, origin, setCookies }
}
