/** Whether a row of requests is failing, and since when: judged by the requests themselves, one after the other. */
import { MINUTE_MS } from '../../core/durations.ts'

/** How one request ended, as far as upstreams had a part in it. */
export interface Ended {
  /** When it came, in epoch milliseconds. */
  readonly at: number
  readonly isFailed: boolean
}

interface Stretch {
  /** Whether it is over: it is answered again, since long enough. */
  readonly isHealed: boolean
  /** When the last request failed. */
  readonly untilMs: number
  /** When the first request failed, in epoch milliseconds. */
  readonly sinceMs: number
  /** Whether nothing is known of what came before the first of the requests that were looked at. */
  readonly isCut: boolean
}

/** So many requests are judged together. */
export const JUDGED = 8
/** So many of them fail while something is wrong; fewer say nothing. */
const MOST_FAIL = 5
/** What is answered again is healed once so long no more failed. Shorter pauses between failures are one stretch. */
export const HEALED_AFTER_MS = 10 * MINUTE_MS

/** The newest time of failures. `ended`: oldest first. null: they are answered. */
export function failingStretch(ended: readonly Ended[], nowMs: number): Stretch | null {
  const failing = ended.map((_, at) => isFailing(ended.slice(Math.max(0, at + 1 - JUDGED), at + 1)))
  const last = failing.lastIndexOf(true)
  if (last === -1) return null
  const lastFailed = ended.findLastIndex(({ isFailed }, at) => isFailed && at <= last)
  const isAnswered = ended.slice(lastFailed + 1).some(({ isFailed }) => !isFailed)
  const untilMs = ended[lastFailed]?.at ?? nowMs
  const isHealed = isAnswered && nowMs - untilMs >= HEALED_AFTER_MS
  const first = firstOf(ended, failing, last)
  return { isHealed, untilMs, sinceMs: ended[first]?.at ?? nowMs, isCut: first < JUDGED }
}

/** `ended`: the newest of a time. */
export function isFailing(ended: readonly Ended[]): boolean {
  return ended.slice(-JUDGED).filter(({ isFailed }) => isFailed).length >= MOST_FAIL
}

/** The first failure of the stretch that lasts until `last`. */
function firstOf(ended: readonly Ended[], failing: readonly boolean[], last: number): number {
  let first = last
  for (let at = last; at >= 0; at--) {
    if (failing[at] !== true) continue
    const pause = (ended[first]?.at ?? 0) - (ended[at]?.at ?? 0)
    if (pause >= HEALED_AFTER_MS && ended.slice(at + 1, first).some(({ isFailed }) => !isFailed)) break
    first = firstFailure(ended, at)
  }
  return first
}

/** The failure from which on most fail, of those that are judged together with the one at a place. */
function firstFailure(ended: readonly Ended[], place: number): number {
  let [first, most, surplus] = [place, 0, 0]
  for (let at = place; at >= Math.max(0, place + 1 - JUDGED); at--) {
    const isFailed = ended[at]?.isFailed === true
    surplus += isFailed ? 1 : -1
    if (isFailed && surplus >= most) [first, most] = [at, surplus]
  }
  return first
}
