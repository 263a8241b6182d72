import { addressKey } from '../../../access/address-key.ts'
import { Problem } from '../../api/problem.ts'
import { isSecureOrigin, stateCookie } from '../authenticator/inner-names.ts'
import { throttled } from '../problems.ts'
import type { SignInRequest } from '../sign-in-request.ts'

/** How long better-auth takes the cookie with the state. */
const STATE_LIVES_MS = 10 * 60_000

/**
 * Counts a return from the OIDC provider, which makes us ask the provider, and uses up its state: with the cookie and another
 * code of the provider it would begin a second session. Throws Problem. Returns what to call once the return was a good one.
 */
export async function takeReturn(request: SignInRequest, state: string): Promise<() => void> {
  const { parts, address } = request
  const key = addressKey(address)
  const returns = parts.throttles.returnByAddress.take(key)
  if (returns !== 'taken') {
    throw throttled('too_many_requests', { ...returns, why: 'Too many sign-ins from this address failed' })
  }
  await spendState(request, state)
  return () => parts.throttles.returnByAddress.giveBack(key)
}

/** Lets one of several returns with the same state go on, through whichever node they come: the state is the id of a row. */
async function spendState({ parts, headers, origin }: SignInRequest, state: string): Promise<void> {
  const { records, clock, hashes } = parts
  // Without the cookie better-auth refuses it, and strangers must not write rows.
  if (!(headers.get('cookie') ?? '').includes(`${stateCookie(isSecureOrigin(origin))}=`)) return
  const nowMs = clock.now()
  await records.delete('verification', [{ field: 'expiresAt', is: '<', value: nowMs }])
  const id = `vrf_${hashes.link(`oidc state ${state}`)}`
  const times = { createdAt: nowMs, updatedAt: nowMs, expiresAt: nowMs + STATE_LIVES_MS }
  try {
    await records.insert('verification', { id, identifier: id, content: 'oidc state', ...times })
  } catch (error) {
    if ((await records.count('verification', [{ field: 'id', is: '=', value: id }])) === 0) throw error
    throw new Problem('oidc_failed', 'This sign-in was already finished or tried: begin anew.')
  }
}
