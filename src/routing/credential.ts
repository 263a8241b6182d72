import type { MintedKind } from '../core/credential-kind.ts'
import type { NanoUsd } from '../core/money.ts'
import type { CredentialShadow } from '../core/shadow-rules.ts'

/** One of an upstream's credentials. Its limits hold for each process by itself. */
export interface Credential {
  /** Unique within its upstream. */
  readonly name: string
  /** Encrypted at rest, see core/secret-box; an empty text where its kind has none. */
  readonly sealedSecret: string
  /** The share of the upstream's requests; 0: only where no other may be asked. */
  readonly weight: number
  /** The organisation or project at the provider that it belongs to; null: all of the upstream's are of one. */
  readonly realm: string | null
  readonly maxConcurrency: number | null
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  /** A cap on what requests cost in one day of UTC. */
  readonly spendPerDay: NanoUsd | null
  /** Names of models at the upstream that it may be used for; null: all. */
  readonly models: readonly string[] | null
  /** Epoch milliseconds. */
  readonly expiresAt: number | null
  /** The URL of the proxy that it goes through instead of the upstream's, encrypted; null: the way of its upstream. */
  readonly sealedProxyUrl: string | null
  /** Limits that are not enforced, at least one; left out: none. */
  readonly shadow?: readonly CredentialShadow[]
  /** How what is sent is got at; left out: the secret is sent as it is. */
  readonly kind?: MintedKind
  /** What its kind is set with, by names of `CREDENTIAL_KINDS`; `source`: which of its sources. Left out: nothing. */
  readonly settings?: Readonly<Record<string, string>>
}
