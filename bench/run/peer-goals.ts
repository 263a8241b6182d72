/** What is aimed at beside other people's gateways, in the turns that they took part in. Nothing depends on it. */
import type { Bar } from './bar.ts'
import { p99Ms, ratioOf, type Reader } from './measure/figures.ts'
import type { Series } from './measure/series.ts'
import type { PeerName } from './subjects/target.ts'
import type { WorkloadName } from './workload.ts'

interface PeerGoal {
  readonly name: string
  readonly read: Reader
  readonly goal: number
  /** More is better. */
  readonly atLeast: boolean
}

const requestsPerSecond: Reader = (round) => round.requestsPerSecond

/** The gateway's figure as a multiple of each peer's. */
const GOALS: Partial<Record<WorkloadName, readonly PeerGoal[]>> = {
  crowd: [{ name: 'requests a second at 64 connections', read: requestsPerSecond, goal: 5, atLeast: true }],
  wide: [
    { name: 'requests a second on all cores', read: requestsPerSecond, goal: 3, atLeast: true },
    { name: 'p99 on all cores', read: p99Ms, goal: 0.5, atLeast: false },
  ],
}
/** What stands in for the floor of Node meters nothing and has no keys. */
const NO_GATEWAY: PeerName = 'peer bare'

/** None where no peer was measured to the end, or no quiet turn was taken. */
export function judgeBesidePeers(series: readonly Series[]): Bar[] {
  return series.flatMap((one) => {
    const goals = GOALS[one.workload.name] ?? []
    return peersIn(one).flatMap((peer) =>
      goals.map(({ name, read, goal, atLeast }) => ({
        name: `${name}, of ${peer.slice('peer '.length)}`,
        figure: ratioOf(one, ['gateway', peer], read),
        unit: '×' as const,
        limit: null,
        goal,
        atLeast,
        met: true,
      })),
    )
  })
}

/** Those that were measured in every turn. */
function peersIn({ turns }: Series): PeerName[] {
  const [first, ...others] = turns
  const names = Object.keys(first ?? {}).filter((name) => name.startsWith('peer ') && name !== NO_GATEWAY)
  return (names as PeerName[]).filter((name) => others.every((turn) => turn[name] !== undefined))
}
