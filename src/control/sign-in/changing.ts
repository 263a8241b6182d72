import type { Changes } from '../../access/audit.ts'
import type { SignedIn, SignInEvent, SignInParts } from './parts.ts'

/** An event as a route says it; who did it, and from where, is the request's. */
export interface OwnEvent {
  readonly kind: SignInEvent['kind']
  readonly accountId: string | null
  readonly detail?: string | null
  readonly changes?: Changes
}

/** Who is at work, and from where. */
export interface EventSource {
  readonly address: string
  readonly signedIn: SignedIn | null
}

/** The whole of an event of this request. */
export function eventOf({ address, signedIn }: EventSource, event: OwnEvent): SignInEvent {
  const by = signedIn?.account.id ?? null
  return {
    kind: event.kind,
    accountId: event.accountId,
    byAccountId: by === event.accountId ? null : by,
    address,
    detail: event.detail ?? null,
    ...(event.changes === undefined ? {} : { changes: event.changes }),
  }
}

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
