import type { UnknownTries } from '../../access/unknown-tries.ts'
import type { FirstSteps } from '../../contract/usage.ts'
import type { FaultFacts } from '../../core/fact-values.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { wireFacts } from './fault-view.ts'

/** Requests that were refused without a known key. `origin`: under which the reader reaches this gateway. */
export function unknownTryView(tries: UnknownTries, origin: string): FirstSteps['unrecognized'][number] {
  const { id, createdAt, fault, facts, client, count } = tries
  const shown = wireFacts(ofHere(facts, origin))
  return { id, created_at: timeOnWire(createdAt), fault, fault_facts: shown, client, count }
}

/**
 * Others at the reader's address can send any `Host`, and readers are advised to enter what stands here: an origin that is not
 * this gateway's is left out.
 */
function ofHere({ enter, origin: named, ...others }: FaultFacts, origin: string): FaultFacts {
  return {
    ...others,
    ...(enter === origin || enter === `${origin}/v1` ? { enter } : {}),
    ...(named === origin ? { origin } : {}),
  }
}
