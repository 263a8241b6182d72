import { AsyncLocalStorage } from 'node:async_hooks'
import type { SignInParts, SignInStores } from '../parts.ts'
import { eventOf, type EventSource, type OwnEvent } from '../changing.ts'

/** The request that better-auth is at work for, since its adapter learns of records alone. */
export interface InnerCall extends EventSource {
  /** The path of one of its own routes. */
  readonly path: string
}

export const innerCalls = new AsyncLocalStorage<InnerCall>()

/**
 * Makes a change that better-auth wants, with the audit entry that `eventFor` finds for it, in one transaction. Without an
 * event, or outside of a request, the change is made as it is.
 */
export function recorded<Made>(
  parts: Pick<SignInParts, 'change'> & SignInStores,
  change: (stores: SignInStores) => Promise<Made>,
  eventFor: (call: InnerCall) => OwnEvent | null,
): Promise<Made> {
  const call = innerCalls.getStore()
  const event = call === undefined ? null : eventFor(call)
  if (call === undefined || event === null) return change(parts)
  return parts.change(async (stores, record) => {
    const made = await change(stores)
    await record(eventOf(call, event))
    return made
  })
}
