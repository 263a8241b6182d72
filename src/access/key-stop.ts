import { utcTime } from '../core/utc-time.ts'
import { explainedFault } from '../causes/explained-fault.ts'
import type { Fault } from '../core/faults.ts'
import type { ApiKey, KeyWithOwner, SecretOverlap } from './api-key.ts'

/**
 * The Fault for a key that may not be used any more, null for one that may. Also cuts what is running when it changes.
 * `read_only`: reading what the key used is allowed after its end.
 */
export function stopOf(
  { key, account, isByPreviousSecret }: KeyWithOwner,
  nowMs: number,
  purpose: 'for_calling' | 'read_only' = 'for_calling',
): Fault | null {
  const overlap = isByPreviousSecret === true ? key.overlap : null
  const whose = key.device === undefined ? { end: overlap?.secretEnd ?? key.secretEnd } : OF_DEVICE
  if (key.status === 'deleted') {
    return explainedFault('key_deleted', { ...whose, at: utcTime(key.statusChangedAt) })
  }
  if (key.status === 'disabled') {
    return explainedFault('key_disabled', { ...whose, at: utcTime(key.statusChangedAt) })
  }
  if (purpose === 'for_calling' && key.expiresAt !== null && nowMs >= key.expiresAt) {
    return explainedFault('key_expired', { ...whose, at: utcTime(key.expiresAt) })
  }
  if (overlap !== null && nowMs >= overlap.endsAt) return replaced(key, overlap)
  if (account.status === 'disabled') {
    return key.device === undefined
      ? explainedFault('account_disabled', {})
      : explainedFault('account_disabled', OF_DEVICE, { status: 401 })
  }
  return null
}

/**
 * The Fault for a running request whose secret was replaced without an overlap; null for any other. `caller`: the key as it
 * was when the request came; `now`: as it is.
 */
export function replacedAtOnce(caller: KeyWithOwner, now: ApiKey): Fault | null {
  const { key: then, isByPreviousSecret } = caller
  const isByCurrentSecret =
    isByPreviousSecret !== true && then.secretEnd === now.secretEnd && then.secretStart === now.secretStart
  if (isByCurrentSecret || now.overlap?.endsAt !== STOPPED_WITH_THE_ROTATION) return null
  const secretEnd = isByPreviousSecret === true ? then.overlap?.secretEnd : then.secretEnd
  return replaced(now, { secretEnd: secretEnd ?? now.overlap.secretEnd, endsAt: STOPPED_WITH_THE_ROTATION })
}

/** A device has no secret that its person could recognize. */
const OF_DEVICE = { device: true } as const

/** The Fault for an access token of a device that is over. `at`: epoch milliseconds; null: the key’s epoch was raised since. */
export function endedToken(at: number | null): Fault {
  return explainedFault('key_expired', { ...OF_DEVICE, ...(at === null ? {} : { at: utcTime(at) }) })
}

/** The end of an overlap of 0 seconds: no node's clock is behind it. */
export const STOPPED_WITH_THE_ROTATION = 0

function replaced(key: ApiKey, { secretEnd, endsAt }: Pick<SecretOverlap, 'secretEnd' | 'endsAt'>): Fault {
  const since = endsAt === STOPPED_WITH_THE_ROTATION ? {} : { at: utcTime(endsAt) }
  return explainedFault('key_expired', { replaced: true, end: secretEnd, new_end: key.secretEnd, ...since })
}
