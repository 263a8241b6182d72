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
}

export interface StallReport {
  /** The longest since the last question, longest first. */
  readonly stalls: readonly Stall[]
  readonly turns: number
}

/** As often as the probe looks; a turn that takes less is seen together with its neighbours. */
const LOOK_MS = 5
const KEPT = 10

if (isMainThread && process.send !== undefined) probe()

function probe(): void {
  let stalls: Stall[] = []
  let turns = 0
  let before = process.threadCpuUsage()
  setInterval(() => {
    const now = process.threadCpuUsage()
    const ms = (now.user + now.system - before.user - before.system) / 1_000
    before = now
    turns++
    if (stalls.length < KEPT || ms > (stalls.at(-1)?.ms ?? 0)) {
      stalls = [...stalls, { ms, endedAt: Date.now() }].sort((a, b) => b.ms - a.ms).slice(0, KEPT)
    }
  }, LOOK_MS).unref()
  process.on('message', (question: Partial<StallQuestion>) => {
    if (question.stalls !== 'read') return
    process.send?.({ stalls, turns } satisfies StallReport)
    stalls = []
    turns = 0
  })
  process.channel?.unref()
}
