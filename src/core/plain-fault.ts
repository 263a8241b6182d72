import { FAULT_TEXTS } from './fault-texts.ts'
import { Fault, type FaultCode, type FaultDetails } from './faults.ts'

/** A fault about which the thrower knows nothing more than its code: its message is the words of its page. */
export function plainFault(code: FaultCode, details: FaultDetails & { readonly cause?: unknown } = {}): Fault {
  return new Fault(code, plainMessage(code), details)
}

/** What the fault means and how to fix it, where nothing more is known. */
export function plainMessage(code: FaultCode): string {
  const { cause, remedy } = FAULT_TEXTS[code]
  return `${cause} ${remedy}`
}

/** Throws the Fault `store_unavailable` in the place of what the database said: for the rejection of a query. */
export function storeIsAway(cause: unknown): never {
  throw plainFault('store_unavailable', { cause })
}
