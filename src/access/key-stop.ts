import { Fault } from '../core/faults.ts'
import type { KeyWithOwner } from './api-key.ts'

/**
 * The Fault for a key that may not be used any more, null for one that may. Also cuts what is running when it changes.
 * `for_looking`: reading what the key used is allowed after its end.
 */
export function stopOf(
  { key, account, isByPreviousSecret }: KeyWithOwner,
  nowMs: number,
  purpose: 'for_calling' | 'read_only' = 'for_calling',
): Fault | null {
  const overlap = isByPreviousSecret === true ? key.overlap : null
  const ending = overlap?.secretEnd ?? key.secretEnd
  if (key.status === 'deleted') {
    return new Fault(
      'key_deleted',
      `The API key ending in ${ending} was deleted ${at(key.statusChangedAt)}. Create a new key.`,
    )
  }
  if (key.status === 'disabled') {
    return new Fault(
      'key_disabled',
      `The API key ending in ${ending} was disabled ${at(key.statusChangedAt)}. Enable it again, or use another key.`,
    )
  }
  if (purpose === 'for_calling' && key.expiresAt !== null && nowMs >= key.expiresAt) {
    return new Fault(
      'key_expired',
      `The API key ending in ${ending} expired ${at(key.expiresAt)}. Extend its expiry, or create a new key.`,
    )
  }
  if (overlap !== null && nowMs >= overlap.endsAt) {
    return new Fault(
      'key_expired',
      `The secret ending in ${ending} was replaced by a new one of the same API key, and stopped working${overlap.endsAt === 0 ? '' : ` ${at(overlap.endsAt)}`}. Use the new secret, which ends in ${key.secretEnd}.`,
    )
  }
  if (account.status === 'disabled') {
    return new Fault(
      'account_disabled',
      'The account that owns this API key is disabled. Ask an admin of this gateway to enable it.',
    )
  }
  return null
}

function at(ms: number): string {
  return 'at ' + new Date(ms).toISOString().slice(0, 19) + 'Z'
}
