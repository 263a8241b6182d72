import type { SignInParts } from '../parts.ts'
import { eventOf, type EventSource, type OwnEvent } from '../own-event.ts'

/**
 * Changes an account's ways in and writes the audit entries that say so, in one transaction: both are kept, or neither.
 * `inside`: the parts whose stores belong to it; `work` writes by no others, and waits for the database alone.
 */
export function changing<Made>(
  request: EventSource & { readonly parts: SignInParts },
  work: (inside: SignInParts, record: (event: OwnEvent) => Promise<void>) => Promise<Made>,
): Promise<Made> {
  const { parts } = request
  return parts.change((stores, record) => work({ ...parts, ...stores }, (event) => record(eventOf(request, event))))
}

/** Writes an event that changed nothing to the audit. */
export function noteEvent(request: EventSource & { readonly parts: SignInParts }, event: OwnEvent): void {
  request.parts.onEvent(eventOf(request, event))
}
