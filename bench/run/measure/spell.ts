/** One round, with what has to go before it: a pause, a start, or enough requests to make a gateway forget both. */
import type { Expectation } from '../load/job.ts'
import type { Subject } from '../subjects/subject.ts'
import { jobOf, type Workload } from '../workloads.ts'
import { measureRound, type Round, type Stage } from './stage.ts'

/** A round of so many requests is over before. */
const LONGEST_ROUND_MS = 30_000
/** V8 has optimised whatever it wants to by then. */
const WARMING_REQUESTS = 20_000
/** Enough for that, but for gateways that answer less than 4,000 a second. */
export const WARM_UP_MS = 5_000
/** A gateway that has just started still collects its garbage. */
const AFTER_START_MS = 2_000

export interface SpellRound {
  readonly workload: Workload
  readonly expect: Expectation
  /** The length of a round that is not counted in requests. */
  readonly durationMs: number
}

/** The round, and the requests that were made before it. A pause is the caller's, for all subjects at once. */
export async function runSpell(
  stage: Stage,
  subject: Subject,
  { workload, expect, durationMs }: SpellRound,
): Promise<{ readonly round: Round; readonly before: number }> {
  const { spell } = workload
  if (spell.kind === 'steady') {
    return { round: await measureRound(stage, subject, { workload, expect, durationMs }), before: 0 }
  }
  const before =
    subject.name === 'warm' ? await makeWarm(stage, subject, { workload, expect, durationMs: LONGEST_ROUND_MS }) : 0
  if (spell.kind === 'after-start' && subject.restart !== undefined) {
    await subject.restart()
    await new Promise((wake) => setTimeout(wake, AFTER_START_MS))
  }
  const counted = { workload, expect, durationMs: LONGEST_ROUND_MS, maxRequests: spell.requests }
  return { round: await measureRound(stage, subject, counted), before }
}

/** Sends enough requests to have all code optimised, if `durationMs` is enough for that. Their number. */
export async function makeWarm(
  stage: Stage,
  subject: Subject,
  { workload, expect, durationMs }: SpellRound,
): Promise<number> {
  const round = { durationMs, expect, maxRequests: WARMING_REQUESTS }
  const { requests } = await stage.load.run(jobOf(workload, subject.target(workload), round))
  return requests
}
