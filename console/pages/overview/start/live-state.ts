import type { FirstSteps } from '../../../../src/contract/usage.ts'
import { MESSAGE_CLIENT } from '../../../api/key-messages.ts'

export type Try = FirstSteps['data'][number]

/** What the live line shows. */
export type LiveState =
  | { readonly kind: 'waiting' }
  /** `earlier`: how many failed before it. */
  | { readonly kind: 'failed'; readonly newest: Try; readonly earlier: number }
  | { readonly kind: 'done'; readonly record: Try }

/**
 * Reads the tries, newest first, from the view of one key. What else the account does is none of its business, but a try
 * with a wrong key is: most likely it is the client that is being set up. A test message from the console says there what
 * came of it; the client did not send it.
 */
export function liveStateOf(tries: readonly Try[], keyId: string): LiveState {
  const meant = tries.filter(
    (each) => each.client !== MESSAGE_CLIENT && (each.key_id === keyId || each.key_id === null || isAboutKey(each)),
  )
  const record = meant.find((each) => each.outcome === 'completed')
  if (record !== undefined) return { kind: 'done', record }
  const failed = meant.filter((each) => each.outcome !== 'completed')
  const newest = failed[0]
  return newest === undefined ? { kind: 'waiting' } : { kind: 'failed', newest, earlier: failed.length - 1 }
}

function isAboutKey({ fault }: Try): boolean {
  return fault?.startsWith('key_') === true && fault !== 'key_quota_exhausted'
}
