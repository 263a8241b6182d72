import { Fault } from '../../core/faults.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { PreparedRequest } from '../arrival/prepare.ts'
import type { Sending } from './attempt.ts'

/** The request as the candidate gets it, with its credential; null: its target cannot carry it. */
export function sendingTo(candidate: Candidate, { snapshot, adapters }: PreparedRequest): Sending | null {
  const { target, realmTag, credential } = candidate
  const inUse = snapshot.upstreamsById.get(target.upstreamId)
  const client = inUse?.pool.find(({ health }) => health === credential)?.client
  const outbound = adapters.to(target, realmTag)
  if (inUse === undefined || client === undefined || outbound instanceof Fault) return null
  return { candidate, inUse, client, adapter: outbound.adapter, request: outbound.request }
}
