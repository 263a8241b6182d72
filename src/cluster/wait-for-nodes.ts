import { setTimeout } from 'node:timers/promises'
import type { ChangeFollower } from './change-follower.ts'
import type { NodeStore } from './nodes.ts'
import type { Clock } from '../core/clock.ts'
import { Heartbeats } from './heartbeats.ts'
import { hasEnded } from './dead-nodes.ts'

export interface WaitOptions {
  readonly nodes: Pick<NodeStore, 'all'>
  readonly clock: Pick<Clock, 'elapsed'>
  /** The host, as `thisHost` names it: its dead processes are recognised at once. */
  readonly host: string
  /** How far this process itself has followed, where it is a gateway: it may be off the list, and answers by its memory all the same. */
  readonly here?: Pick<ChangeFollower, 'id' | 'seq'>
}

/**
 * Resolves when every running gateway acts on the change, so that «disabled» means refused everywhere. A dead one is waited
 * for until its beat stood still for a node's life, unless it ran on this host; by then it refuses everything by itself, if
 * it was only frozen. Returns the ids of those that live on and did not follow within WAIT_LIMIT_MS; normally none.
 */
export async function waitForNodes(seq: number, { nodes, clock, host, here }: WaitOptions): Promise<readonly string[]> {
  const startedAt = clock.elapsed()
  const beats = new Heartbeats()
  for (;;) {
    const askedAt = clock.elapsed()
    const all = await nodes.all()
    const still = beats.staleNodes(all, { askedAt, answeredAt: clock.elapsed() })
    const others = all.filter((node) => node.seenSeq < seq && !still.has(node.id) && !hasEnded(node, host))
    const behind = new Set(others.map(({ id }) => id))
    if (here !== undefined && here.seq < seq) behind.add(here.id)
    if (behind.size === 0) return []
    if (clock.elapsed() - startedAt > WAIT_LIMIT_MS) return [...behind]
    await setTimeout(BETWEEN_LOOKS_MS)
  }
}

/** Longer than any node lives without a beat. */
const WAIT_LIMIT_MS = 60_000
const BETWEEN_LOOKS_MS = 20
