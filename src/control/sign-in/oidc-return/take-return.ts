import { addressKey } from '../../../access/address-key.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { OidcFailure } from '../oidc/oidc-failure.ts'
import { STATE_LIVES_MS } from './sign-in-state.ts'

/**
 * Counts a return from the OIDC provider, which makes us ask the provider. Throws Problem. Returns what to call once the
 * return was a good one.
 */
export function countReturn({ parts, address }: SignInRequest): () => void {
  const key = addressKey(address)
  parts.throttles.returnByAddress.spend(key, 'Too many sign-ins from this address failed')
  return () => parts.throttles.returnByAddress.giveBack(key)
}

/**
 * Lets one of several returns with the same state go on, through whichever node they come: the state is the id of a row. With
 * the cookie and another code of the provider it would begin a second session. To be called for a state of ours alone, since
 * strangers must not write rows. Throws OidcFailure.
 */
export async function spendState({ parts }: SignInRequest, state: string): Promise<void> {
  const { records, clock, hashes } = parts
  const nowMs = clock.now()
  await records.delete('verification', [{ field: 'expiresAt', is: '<', value: nowMs }])
  const id = `vrf_${hashes.link(`oidc state ${state}`)}`
  const times = { createdAt: nowMs, updatedAt: nowMs, expiresAt: nowMs + STATE_LIVES_MS }
  try {
    await records.insert('verification', { id, identifier: id, content: 'oidc state', ...times })
  } catch (error) {
    if ((await records.count('verification', [{ field: 'id', is: '=', value: id }])) === 0) throw error
    throw new OidcFailure('oidc_state_lost', 'this sign-in has already come back once')
  }
}
