import type { RegisteredNode } from './nodes.ts'
import { NODE_BEAT_MS, NODE_LIFE_MS } from '../core/limits.ts'

/** What kept the observer from looking for longer than this may have kept the nodes from beating: a database that was away. */
const LOOKED_AWAY_MS = 2 * NODE_BEAT_MS

/** What one observer saw of the nodes' beats, and since when. Times are readings of `Clock.elapsed`, in milliseconds. */
export class Heartbeats {
  #seen: ReadonlyMap<string, LastHeartbeat> = new Map()
  #lookedAt = -Infinity

  /**
   * Takes in one reading of all nodes, and returns the ids of those whose beat stood still for `NODE_LIFE_MS` while the
   * observer looked on. A beat counts as seen when its reading was answered, and as still standing when the next one was
   * asked for: never longer than it was.
   */
  staleNodes(
    nodes: readonly Pick<RegisteredNode, 'id' | 'beat'>[],
    reading: { readonly askedAt: number; readonly answeredAt: number },
  ): ReadonlySet<string> {
    if (reading.askedAt - this.#lookedAt > LOOKED_AWAY_MS) this.forget()
    const seen = new Map<string, LastHeartbeat>()
    const still = new Set<string>()
    for (const { id, beat } of nodes) {
      const before = this.#seen.get(id)
      const last = before?.beat === beat ? before : { beat, seenAt: reading.answeredAt }
      seen.set(id, last)
      if (reading.askedAt - last.seenAt >= NODE_LIFE_MS) still.add(id)
    }
    this.#seen = seen
    this.#lookedAt = reading.answeredAt
    return still
  }

  /** Gives every node a whole life from the next look on. */
  forget(): void {
    this.#seen = new Map()
  }
}

interface LastHeartbeat {
  readonly beat: number
  readonly seenAt: number
}
