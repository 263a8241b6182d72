import { hash } from 'node:crypto'
import type { Credential } from './credential.ts'
import type { CredentialHold } from './credential-health.ts'

/** What all processes know of one credential of an upstream. What is not stored is neither disabled nor held. */
export interface CredentialState {
  readonly upstreamId: string
  readonly name: string
  /** Disabled by a person, and until a person enables it again: under the same name it stays so with another secret. */
  readonly isDisabled: boolean
  readonly hold: StoredHold | null
}

/** A credential was refused, with the secret that it had then. */
export interface StoredHold extends CredentialHold {
  readonly of: string
}

/** What one process found out; `hold` null: it is taken again. */
export type HoldNote = Omit<CredentialState, 'isDisabled'>

/** What a person changes; what is left out stays. */
export interface CredentialChange {
  readonly upstreamId: string
  readonly name: string
  readonly isDisabled?: boolean | undefined
  readonly isReleased?: boolean
}

export interface CredentialStateStore {
  credentialStates(): Promise<readonly CredentialState[]>
  noteHolds(notes: readonly HoldNote[]): Promise<void>
  /** Returns what it was and is, and the change that nodes follow; null: it stood so already. */
  changeCredential(
    change: CredentialChange,
  ): Promise<{ readonly before: CredentialState; readonly after: CredentialState; readonly seq: number | null }>
}

const MARK_CHARACTERS = 24

/**
 * The mark by which what is stored of a credential is known to be of this secret and these settings: sealing gives another text
 * each time.
 */
export function markOf({
  sealedSecret,
  kind,
  settings,
}: Pick<Credential, 'sealedSecret' | 'kind' | 'settings'>): string {
  const ofSecret = sealedSecret.slice(-MARK_CHARACTERS)
  if (kind === undefined) return ofSecret
  const sorted = Object.entries(settings ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${ofSecret}.${hash('sha256', JSON.stringify([kind, sorted]), 'base64url').slice(0, MARK_CHARACTERS)}`
}
