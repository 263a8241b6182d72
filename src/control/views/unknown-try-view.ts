import type { UnknownTries } from '../../access/unknown-tries.ts'
import type { FirstSteps } from '../../contract/usage.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { wireFacts } from './fault-view.ts'

/** Requests that were refused without a known key. */
export function unknownTryView(tries: UnknownTries): FirstSteps['unrecognized'][number] {
  const { id, createdAt, fault, facts, client, count } = tries
  return { id, created_at: timeOnWire(createdAt), fault, fault_facts: wireFacts(facts), client, count }
}
