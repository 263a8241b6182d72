import { Candidate } from '../../src/routing/candidate.ts'
import { affinityHash } from '../../src/routing/equals.ts'
import { CredentialHealth } from '../../src/routing/credential-health.ts'
import type { CredentialLimits } from '../../src/routing/credential-use.ts'
import type { SpendCap } from '../../src/routing/spend-cap.ts'
import { UpstreamHealth } from '../../src/routing/upstream-health.ts'

const NO_LIMITS: CredentialLimits = {
  maxConcurrency: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendPerDay: null,
  expiresAt: null,
}

/** A clock that stands still: candidates are given the time as they are asked. */
const STILL = { now: () => 0, elapsed: () => 0 }

export function credentialByHand(random: () => number, limits: Partial<CredentialLimits> = {}): CredentialHealth {
  return new CredentialHealth({ limits: { ...NO_LIMITS, ...limits }, clock: STILL, random })
}

export interface CandidateByHand {
  readonly priority?: number
  readonly weight?: number
  readonly isPreferred?: boolean
  readonly random?: () => number
  readonly hasOwnWay?: boolean
  /** The weights of the credentials, in their order; else they share that of the target. */
  readonly weights?: readonly number[]
  /** The limits of each credential. */
  readonly limits?: Partial<CredentialLimits>
  /** The caps of the target and its upstream. */
  readonly caps?: readonly SpendCap[]
}

/** A target of its own upstream, which has one credential. */
export function candidateByHand(name: string, about: CandidateByHand = {}): Candidate {
  const [candidate] = poolByHand(name, [null], about)
  if (candidate === undefined) throw new Error('a pool of one has one')
  return candidate
}

/** A target with each credential of its upstream. */
export function poolByHand(
  name: string,
  credentials: readonly (string | null)[],
  {
    priority = 0,
    weight = 1,
    isPreferred = false,
    random = () => 1,
    limits = {},
    hasOwnWay = false,
    weights,
    caps,
  }: CandidateByHand = {},
): readonly Candidate[] {
  const target = { upstreamId: name, model: 'm', priority, weight }
  const upstream = new UpstreamHealth(random)
  return credentials.map(
    (credentialName, place) =>
      new Candidate({
        target,
        upstream,
        credential: credentialByHand(random, limits),
        credentialName,
        weight: weights?.[place] ?? weight / credentials.length,
        hasOwnWay,
        isOfPool: credentials.length > 1,
        isPreferred,
        ...(caps === undefined ? {} : { caps }),
        hash: affinityHash(credentialName === null ? name : `${name} ${credentialName}`),
      }),
  )
}
