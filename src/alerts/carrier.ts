import type { AlertWay, BudgetAlert } from './alert.ts'

/** What goes out: an alert, or an admin's test of the way there. */
export type OutgoingAlert = BudgetAlert | TrialAlert

export interface TrialAlert extends Pick<BudgetAlert, 'id' | 'accountId' | 'accountEmail' | 'createdAt'> {
  readonly kind: 'trial'
}

/** One way out for alerts. */
export interface AlertCarrier {
  readonly way: AlertWay
  /**
   * Tries once, within a bound of its own. Never rejects. `signal` ends it early. The same alert may be given again,
   * after a crash for example: whatever goes out carries its `id`.
   */
  send(alert: OutgoingAlert, signal: AbortSignal): Promise<SendOutcome>
}

/** `failure`: a short text for admins, without a secret, an address or anything that the other side said. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'failed'
      readonly failure: string
      /** How long the other side asked to be left alone. */
      readonly retryAfterMs: number | null
    }
  /** A refusal that another try would not change. */
  | { readonly kind: 'refused'; readonly failure: string }

/** What went wrong below the protocol, by its code alone: messages name hosts, and some quote what was sent. */
export function codeOf(error: unknown): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : ''
  return /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'unknown error'
}
