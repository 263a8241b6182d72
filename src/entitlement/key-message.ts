import type { FaultCode } from '../core/faults.ts'
import type { Wire } from '../core/wire.ts'
import type { UsageRecord } from '../metering/usage/usage-record.ts'

/** A test message that the owner of a key sends with it, without its secret. */
export interface KeyMessageQuestion {
  readonly accountId: string
  /** The hash by which the gateway finds the key, as it does for a client that presents the secret. */
  readonly secretHash: string
  readonly modelName: string
  readonly wire: Wire
  readonly outputTokens: number
  /** The address from where it is asked for: the key's addresses hold for it. */
  readonly address: string
  readonly origin: string
}

/** `too_many`: the account had as many as it may within a minute, or as many run as may at once. */
export type KeyMessageAnswer =
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number }
  | ({ readonly kind: 'done' } & KeyMessage)

/** What came of one. */
export interface KeyMessage {
  readonly requestId: string
  /** The status of the answer, as its client would have got it; null: none came in time. */
  readonly status: number | null
  readonly fault: FaultCode | null
  /** What its client got to read; null: it was answered. */
  readonly message: string | null
  /** The beginning of what the model wrote; null: it wrote no text. */
  readonly text: string | null
  /** null: it is not written yet. */
  readonly record: UsageRecord | null
  readonly totalMs: number
}

/** How far a message came: the first part of the way that stopped it. */
export type MessageStage = 'key' | 'model' | 'funds' | 'gateway' | 'provider' | 'answered'

const STAGES: readonly (readonly [MessageStage, RegExp])[] = [
  ['key', /^(key_|account_disabled|ip_not_allowed|credential_throttled)/],
  ['model', /^(model_|group_)/],
  ['funds', /^(balance_|subscription_|rate_limited)/],
  ['provider', /^upstream_/],
]

/** The part of the way at which this fault arises; null: none did. */
export function stageOf(fault: FaultCode | null): MessageStage {
  if (fault === null) return 'answered'
  if (fault === 'key_quota_exhausted') return 'funds'
  return STAGES.find(([, pattern]) => pattern.test(fault))?.[0] ?? 'gateway'
}
