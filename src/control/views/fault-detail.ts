import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import type { FaultCode } from '../../core/faults.ts'

/**
 * What a fault means and how to fix it, for readers of a usage record: the message that the caller got is not kept. English;
 * the console has the same words in the reader's language.
 */
export function faultDetail(code: FaultCode): string {
  const { cause, remedy } = FAULT_TEXTS[code]
  return `${cause} ${remedy}`
}
