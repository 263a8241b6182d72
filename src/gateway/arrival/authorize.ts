import { isAllowedFrom } from '../../access/allowed-address.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { stopOf } from '../../access/key-stop.ts'
import { explainedFault } from '../../causes/explained-fault.ts'

/** Throws the Fault that stops this caller whatever it asks for: the key's state, its owner's, the address it calls from. */
export function authorize(
  caller: KeyWithOwner,
  from: { address: string; nowMs: number; purpose?: 'for_calling' | 'read_only' },
): void {
  const stopped = stopOf(caller, from.nowMs, from.purpose)
  if (stopped !== null) throw stopped
  if (!isAllowedFrom(caller.key, from.address)) {
    throw explainedFault('ip_not_allowed', { address: from.address })
  }
}
