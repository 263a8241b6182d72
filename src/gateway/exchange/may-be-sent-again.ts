import type { Fault } from '../../core/faults.ts'
import { type Wire, wireFacts } from '../../core/wire.ts'

/**
 * Whether a request that failed before its first event may go to another target. What is made of some requests is paid by the
 * piece (pictures, sound), so those are sent again only where nothing can have been made of them.
 */
export function mayBeSentAgain(wire: Wire, { fault, isSent }: { fault: Fault; isSent: boolean }): boolean {
  if (!isPaidByThePiece(wire)) return true
  return !isSent || fault.code === 'upstream_rate_limited' || fault.code === 'upstream_overloaded'
}

/** Whether what is made of requests of this wire is paid by the piece. */
export function isPaidByThePiece(wire: Wire): boolean {
  return wireFacts(wire).unit !== undefined
}
