import type { Stats } from '../../tools/fake-upstream/books.ts'
import type { LoadKey } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenBooks } from './written-books.ts'

/** What is known of a load once everything has come to rest: three parties that must tell the same story. */
export interface Evidence {
  /** What the clients saw. */
  readonly sightings: readonly Sighting[]
  /** What the gateway wrote down. */
  readonly books: WrittenBooks
  /** What the fake upstream says it served. */
  readonly served: Stats
  readonly keys: readonly LoadKey[]
  /** What each account was given, in nano-USD. */
  readonly granted: ReadonlyMap<string, bigint>
  /** When the gateway was killed, or at last told to stop: readings of `performance.now()`, ascending. */
  readonly killedAt: readonly number[]
}

/** The gateway was killed while this client waited. */
export function wasUnderWayAtKill({ beganAt, endedAt }: Sighting, { killedAt }: Evidence): boolean {
  return killedAt.some((moment) => beganAt <= moment && moment <= endedAt)
}

/** Which life of the gateway a request belongs to: 0 before the first kill, 1 before the second. */
export function lifeOf({ beganAt }: Sighting, { killedAt }: Evidence): number {
  return killedAt.filter((moment) => moment < beganAt).length
}

/** A sighting in few words, for a message. */
export function described({ order, ...seen }: Sighting): string {
  const { wire, isStream } = order.form
  const form = `${order.model.name} ${wire}${isStream ? ' stream' : ''}`
  const hangUp = order.hangUp === null ? '' : `, to hang up ${JSON.stringify(order.hangUp)}`
  const { status, requestId, fault, bytes, sawEnd, endedCleanly, hungUp } = seen
  return `${order.tag}: ${form}${hangUp}, saw ${JSON.stringify({ status, requestId, fault, bytes, sawEnd, endedCleanly, hungUp })}`
}
