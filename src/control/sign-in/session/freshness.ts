import { FRESH_MINUTES } from '../../../contract/sign-in.ts'
import type { SignedIn } from '../parts.ts'

/**
 * The moment until which a session may take dangerous steps without credentials being shown again, in epoch milliseconds. An account
 * that has nothing to show, since it came by the one-time setup link, may take them for as long as that session lasts:
 * there is no other way.
 */
export function freshUntilMs(session: Pick<SignedIn, 'signedInAt' | 'canConfirm' | 'beganBy'>): number {
  if (!session.canConfirm && session.beganBy === 'set_up') return Number.MAX_SAFE_INTEGER
  return session.signedInAt + FRESH_MINUTES * 60_000
}

/** Whether a session may take dangerous steps now. */
export function isFresh(session: Pick<SignedIn, 'signedInAt' | 'canConfirm' | 'beganBy'>, nowMs: number): boolean {
  return nowMs < freshUntilMs(session)
}
