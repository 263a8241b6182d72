/** Runs a workload in turn through all subjects, so that whatever drifts on the machine drifts for each of them. */
import type { Expectation } from '../load/job.ts'
import type { Subject } from '../subjects/subject.ts'
import type { SubjectName } from '../subjects/target.ts'
import type { Workload } from '../workload.ts'
import { learnExpectation, measureRound, type Round, type Stage } from './stage.ts'

/** The rounds of one turn: compared only with one another. */
export type Turn = Readonly<Partial<Record<SubjectName, Round>>>

export interface Series {
  readonly workload: Workload
  /** The turns that count, in their order. */
  readonly turns: readonly Turn[]
  /** Turns left out because something else used the cores. */
  readonly disturbed: number
  /** All turns were disturbed, so they had to count after all. */
  readonly noisy: boolean
  /** Requests made of each subject, in all turns, with the warm-up and what was asked to learn what a right answer is. */
  readonly requests: Readonly<Record<SubjectName, number>>
}

export interface Plan {
  /** Turns that should count. */
  readonly turns: number
  readonly durationMs: number
  /** Turns that may be added for disturbed ones. */
  readonly spareTurns: number
}

/** A turn is left out when anything else took more than this part of the two cores. */
const FOREIGN_LIMIT = 0.08
/** Fewer quiet turns than this are not a series. */
const FEWEST_TURNS = 2

/** The first turn warms up and never counts. Rejects when any answer is wrong. */
export async function interleave(
  stage: Stage,
  subjects: readonly Subject[],
  { workload, plan }: { readonly workload: Workload; readonly plan: Plan },
): Promise<Series> {
  const requests = { direct: 0, nginx: 0, gateway: 0, translating: 0 }
  const learn = async (from: Subject): Promise<Expectation> => {
    // Whole answers need not be asked for.
    if (workload.stream) requests[from.name]++
    return learnExpectation(from, workload)
  }
  const passed = await learn(stage.upstream)
  const translating = subjects.find(({ name }) => name === 'translating')
  const translated = translating === undefined ? passed : await learn(translating)
  const takeTurn = async (): Promise<Turn> => {
    const turn: Partial<Record<SubjectName, Round>> = {}
    for (const subject of subjects) {
      const expect = subject.name === 'translating' ? translated : passed
      const round = await measureRound(stage, subject, { workload, expect, durationMs: plan.durationMs })
      turn[subject.name] = round
      requests[subject.name] += round.requests
    }
    return turn
  }
  await takeTurn()
  const all: Turn[] = []
  const wanted = Math.min(plan.turns, workload.mostTurns)
  const most = wanted + plan.spareTurns
  while (all.filter(isQuiet).length < wanted && all.length < most) all.push(await takeTurn())
  return { workload, requests, ...chooseTurns(all) }
}

/** Keeps the quiet turns; all of them when there are too few. */
export function chooseTurns(all: readonly Turn[]): Pick<Series, 'turns' | 'disturbed' | 'noisy'> {
  const quiet = all.filter(isQuiet)
  const disturbed = all.length - quiet.length
  if (quiet.length >= FEWEST_TURNS) return { turns: quiet, disturbed, noisy: false }
  return { turns: all, disturbed, noisy: true }
}

function isQuiet(turn: Turn): boolean {
  return Object.values(turn).every((round) => round.foreign <= FOREIGN_LIMIT)
}
