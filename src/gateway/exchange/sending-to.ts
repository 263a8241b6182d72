import { Fault } from '../../core/faults.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Sending } from './attempt.ts'
import type { ExchangeContext } from './context.ts'
import { isPaidByThePiece } from './may-be-sent-again.ts'

/** The request as the candidate gets it, with its credential; null: its target cannot carry it. */
export function sendingTo(
  candidate: Candidate,
  { prepared, trace }: Pick<ExchangeContext, 'prepared' | 'trace'>,
): Sending | null {
  const { snapshot, adapters } = prepared
  const { target, orgTag, credential } = candidate
  const inUse = snapshot.upstreamsById.get(target.upstreamId)
  const client = inUse?.pool.find(({ health }) => health === credential)?.client
  const outbound = adapters.to(target, orgTag)
  if (inUse === undefined || client === undefined || outbound instanceof Fault) return null
  const request = { ...outbound.request, isRepeatable: !isPaidByThePiece(trace.wire) }
  return { candidate, inUse, client, adapter: outbound.adapter, request }
}
