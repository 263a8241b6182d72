/** The English words for keys that are over, and how they are named. */
import type { FaultFacts } from '../core/fact-values.ts'
import type { Explanation } from './explanation.ts'

/** A sign-in by the device's own client, or by the command line for all others. */
export const SIGN_IN_AGAIN = 'Sign in again: enter /login in Claude Code, or run "tollgate login".'

/** Why a key that is over was refused, or a secret of it that was replaced. */
export function expired(
  { end, at, replaced, new_end: newEnd, device }: FaultFacts,
  time: (text: string) => string,
): Explanation | null {
  if (device === true) {
    return {
      cause: `The sign-in of this device expired${at === undefined ? '' : ` at ${time(at)}`}.`,
      remedy: SIGN_IN_AGAIN,
    }
  }
  if (replaced === true) {
    return {
      cause: `The secret${ending(end)} was replaced by a new one of the same API key, and stopped working${at === undefined ? '' : ` at ${time(at)}`}.`,
      remedy: `Use the new secret${newEnd === undefined ? '' : `, which ends in ${newEnd}`}.`,
    }
  }
  if (at === undefined) return null
  return {
    cause: `The API key${ending(end)} expired at ${time(at)}.`,
    remedy: 'Extend its expiry, or create a new key.',
  }
}

/** Names the key by the end of its secret. */
export function ending(end: string | undefined): string {
  return end === undefined ? '' : ` ending in ${end}`
}
