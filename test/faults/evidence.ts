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
  /** The lives of the gateway that are over, in order. A load in one process that is only drained has none. */
  readonly lives: readonly Life[]
  readonly troubles: readonly Trouble[]
  /** How many threads of a gateway carry requests. */
  readonly threads: number
}

/** The time from one start of the gateway to its end. Readings of `performance.now()`. */
export interface Life {
  readonly beganAt: number
  /** When it was killed, or asked to stop. It got no request after that. */
  readonly endedAt: number
  readonly ending: 'killed' | 'drained'
}

/** A time in which the gateway may say `store_unavailable`. Readings of `performance.now()`. */
export interface Trouble {
  /** `clock`: it jumped forward, and the node renews itself before it spends anything again. */
  readonly kind: 'disk' | 'server' | 'clock'
  readonly from: number
  readonly to: number
}

/** The gateway was killed while this client waited. */
export function wasUnderWayAtKill({ beganAt, endedAt }: Sighting, { lives }: Evidence): boolean {
  return lives.some((life) => life.ending === 'killed' && beganAt <= life.endedAt && life.endedAt <= endedAt)
}

/** The number of the gateway's life that a request belongs to, from 0. */
export function lifeOf({ beganAt }: Sighting, { lives }: Evidence): number {
  return lives.filter(({ endedAt }) => endedAt < beganAt).length
}

/** What was not in the books yet when it ended is lost. */
export function isOfKilledLife(sighting: Sighting, evidence: Evidence): boolean {
  return evidence.lives[lifeOf(sighting, evidence)]?.ending === 'killed'
}

export function wasInTrouble({ beganAt, endedAt }: Sighting, { troubles }: Evidence): boolean {
  return troubles.some(({ from, to }) => beganAt <= to && from <= endedAt)
}

/** A sighting in few words, for a message. */
export function described({ order, ...seen }: Sighting): string {
  const { wire, isStream } = order.form
  const form = `${order.model.name} ${wire}${isStream ? ' stream' : ''}`
  const hangUp = order.hangUp === null ? '' : `, to hang up ${JSON.stringify(order.hangUp)}`
  const { status, requestId, fault, bytes, sawEnd, cutShortAfter, isHeldBack, endedCleanly, brokenBy, hungUp } = seen
  const took = Math.round(seen.endedAt - seen.beganAt)
  return `${order.tag}: ${form}${hangUp}, saw ${JSON.stringify({ status, requestId, fault, bytes, sawEnd, cutShortAfter, isHeldBack, endedCleanly, brokenBy, hungUp, took })}`
}
