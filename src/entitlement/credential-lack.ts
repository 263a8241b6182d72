import type { Upstream } from '../routing/catalog.ts'
import type { Credential } from '../routing/credential.ts'
import type { CredentialState } from '../routing/credential-states.ts'
import type { PlacedTarget } from './unreached-targets.ts'

/** What is known of credentials beside their settings. */
export interface CredentialsStanding {
  readonly states: readonly Pick<CredentialState, 'upstreamId' | 'name' | 'isDisabled'>[]
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/**
 * The upstream to look at first where none of these targets can be asked, since every credential that may be sent for them is
 * disabled or has expired; null: one can be. What is held is asked again by itself, and is not looked at.
 */
export function lackOfCredentials(targets: readonly PlacedTarget[], standing: CredentialsStanding): Upstream | null {
  let first: Upstream | null = null
  for (const { target, upstream } of targets) {
    if (upstream.credentials.length === 0) return null
    const maySend = ({ models }: Credential) => models === null || models.includes(target.model)
    // Mostly the first of them can, so the hundreds behind it are not looked at for each model and group.
    if (upstream.credentials.some((each) => maySend(each) && isUsable(each, upstream, standing))) return null
    // One that may send none for the model is unreached, whatever they are.
    if (upstream.credentials.some(maySend)) first ??= upstream
  }
  return first
}

function isUsable({ name, expiresAt }: Credential, { id }: Upstream, { states, nowMs }: CredentialsStanding): boolean {
  if (expiresAt !== null && expiresAt <= nowMs) return false
  return !states.some((state) => state.isDisabled && state.upstreamId === id && state.name === name)
}
