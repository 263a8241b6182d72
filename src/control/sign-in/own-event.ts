import type { SignedIn, SignInEvent } from './parts.ts'

/** An event as a route says it; who did it, and from where, is the request's. */
export interface OwnEvent {
  readonly kind: SignInEvent['kind']
  readonly accountId: string | null
  readonly detail?: string | null
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
  }
}
