import { PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a gateway process before anything else, to measure for how long its event loop did not turn. What counts is
// the processor time of the main thread between two turns: on a busy machine the thread waits, and uses none of it.

/** A question to the probe, and its answer. */
export interface StallQuestion {
  readonly stalls: 'read'
}

export interface Stall {
  /** Processor time of one turn, in milliseconds. */
  readonly ms: number
  /** When it ended, in milliseconds since the epoch. */
  readonly endedAt: number
  /** The most of it that was collection of garbage: by the clock, which goes on while the thread waits. */
  readonly garbageMs: number
}

export interface StallReport {
  /** The longest since the last question, longest first. */
  readonly stalls: readonly Stall[]
  readonly turns: number
}

/** How often the probe looks; a turn that takes less is seen together with its neighbours. */
const LOOK_MS = 5
const KEPT = 10
const COLLECTIONS_KEPT = 2_000

if (isMainThread && process.send !== undefined) probe()

function probe(): void {
  let stalls: Stall[] = []
  let turns = 0
  let before = process.threadCpuUsage()
  const garbage: { readonly from: number; readonly ms: number }[] = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      garbage.push({ from: performance.timeOrigin + startTime, ms: duration })
    }
    garbage.splice(0, garbage.length - COLLECTIONS_KEPT)
  }).observe({ entryTypes: ['gc'] })
  setInterval(() => {
    const now = process.threadCpuUsage()
    const ms = (now.user + now.system - before.user - before.system) / 1_000
    before = now
    turns++
    if (stalls.length < KEPT || ms > (stalls.at(-1)?.ms ?? 0)) {
      stalls = [...stalls, { ms, endedAt: Date.now(), garbageMs: 0 }].sort((a, b) => b.ms - a.ms).slice(0, KEPT)
    }
  }, LOOK_MS).unref()
  process.on('message', (question: Partial<StallQuestion>) => {
    if (question.stalls !== 'read') return
    const withGarbage = stalls.map((stall) => ({ ...stall, garbageMs: garbageWithin(garbage, stall) }))
    process.send?.({ stalls: withGarbage, turns } satisfies StallReport)
    stalls = []
    turns = 0
  })
  process.channel?.unref()
}

/** How much of a turn, which may have taken longer by the clock than on the processor, was a collection. */
function garbageWithin(garbage: readonly { from: number; ms: number }[], { endedAt, ms }: Stall): number {
  const from = endedAt - 2 * ms - LOOK_MS
  const within = garbage.filter((one) => one.from >= from && one.from <= endedAt)
  return within.reduce((sum, one) => sum + one.ms, 0)
}
