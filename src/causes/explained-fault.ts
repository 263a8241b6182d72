import { boundedFacts, type FactsOf } from '../core/fault-facts.ts'
import { Fault, type FaultCode, type FaultDetails } from '../core/faults.ts'
import { plainMessage } from '../core/plain-fault.ts'
import { explainEnglish, sentence } from './english.ts'

/** A fault whose message is written from its facts, so that its record can say the same. */
export function explainedFault<C extends FaultCode>(
  code: C,
  facts: FactsOf<NoInfer<C>>,
  details: FaultDetails & { readonly cause?: unknown } = {},
): Fault {
  const bounded = boundedFacts(facts)
  const explained = explainEnglish(code, bounded)
  return new Fault(code, explained === null ? plainMessage(code) : sentence(explained), { ...details, facts: bounded })
}
