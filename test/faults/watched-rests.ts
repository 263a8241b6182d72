import { vi } from 'vitest'
import type { FailureClass } from '../../src/routing/failure-class.ts'
import { PROBE_EVERY_MS, TargetHealth } from '../../src/routing/target-health.ts'

/** What the routing of a gateway in this process did with one target: times by its own clock, in milliseconds. */
type Step =
  | { readonly kind: 'asked'; readonly at: number }
  | { readonly kind: 'failed'; readonly at: number; readonly failure: FailureClass; readonly restsUntil: number }

export interface WatchedRests {
  readonly asked: number
  /** Requests that began before the rest in force was over, or beside another that was to find out after the same rest. */
  readonly early: number
  /** How long each rest was that a failure began, the first one first. */
  readonly restsMs: readonly number[]
}

/** Watches every target from now on, and changes nothing. Returns how those did that failed in a way. */
export function watchRests(): (failure: FailureClass) => readonly WatchedRests[] {
  const steps = new Map<TargetHealth, Step[]>()
  const note = (health: TargetHealth, step: Step) => {
    const noted = steps.get(health)
    if (noted === undefined) steps.set(health, [step])
    else noted.push(step)
  }
  const { begin, failed } = TargetHealth.prototype
  vi.spyOn(TargetHealth.prototype, 'begin').mockImplementation(function noteBegin(this: TargetHealth, now) {
    note(this, { kind: 'asked', at: now })
    begin.call(this, now)
  })
  vi.spyOn(TargetHealth.prototype, 'failed').mockImplementation(function noteFailed(this: TargetHealth, ...of) {
    const rests = failed.apply(this, of)
    const [, at, { failure }] = of
    note(this, { kind: 'failed', at, failure, restsUntil: this.restsUntil })
    return rests
  })
  const hasFailed = (of: readonly Step[], failure: FailureClass) =>
    of.some((step) => step.kind === 'failed' && step.failure === failure)
  return (failure) => [...steps.values()].filter((of) => hasFailed(of, failure)).map(restsOf)
}

function restsOf(steps: readonly Step[]): WatchedRests {
  let asked = 0
  let early = 0
  let opensAt = -Infinity
  let restsUntil = 0
  const restsMs: number[] = []
  for (const step of steps) {
    if (step.kind === 'asked') {
      asked += 1
      if (step.at < opensAt) early += 1
      // The first requests are sent together, before anything is known.
      if (restsUntil !== 0) opensAt = Math.max(opensAt, step.at + PROBE_EVERY_MS)
    } else if (step.restsUntil !== restsUntil) {
      restsUntil = step.restsUntil
      opensAt = Math.max(opensAt, restsUntil)
      restsMs.push(restsUntil - step.at)
    }
  }
  return { asked, early, restsMs }
}
