import type { FaultFacts } from '../../../src/causes/explanation.ts'
import type { FaultCode } from '../../../src/contract/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { type FaultText, faultTextOf } from '../../dictionaries/fault-text.ts'
import { useFormat } from '../../format/use-format.ts'

/** What of a request its fault is explained by. */
export interface FaultedRequest {
  readonly id: string
  readonly created_at: string
  readonly fault: string | null
  readonly detail: string | null
  readonly fault_facts: Readonly<Record<string, unknown>> | null
  readonly client_received: string | null
  readonly key_id: string | null
  readonly model?: string | null
}

/** The facts as the texts and fixes take them: the server writes the closed names and kinds of `FactValues` alone. */
export function factsOf(request: Pick<FaultedRequest, 'fault_facts'>): FaultFacts | null {
  return request.fault_facts
}

/** What went wrong, as specific as the record allows, in the reader's language; null: no fault, or one that is not known. */
export function useFaultText(request: Pick<FaultedRequest, 'fault' | 'fault_facts'>): FaultText | null {
  const faults = useTexts('faults')
  const { explain } = useTexts('causes')
  const format = useFormat()
  if (request.fault === null) return null
  const general = faultTextOf(faults, request.fault)
  if (general === undefined) return null
  const facts = factsOf(request)
  const explained =
    facts === null ? null : explain(request.fault as FaultCode, facts, { time: (moment) => format.second(moment) })
  return explained === null ? general : { title: general.title, ...explained }
}
