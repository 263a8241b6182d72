/** What a workload's turns brought. */
import type { Round } from './stage.ts'
import type { SubjectName, Workload } from '../workloads.ts'

/** The rounds of one turn: compared only with one another. */
export type Turn = Readonly<Partial<Record<SubjectName, Round>>>

export interface Series {
  readonly workload: Workload
  /** Who took part to the end, in the order of their rounds. */
  readonly subjects: readonly SubjectName[]
  /** The turns that count, in their order. Empty when too few of them were quiet: then there is no figure. */
  readonly turns: readonly Turn[]
  /** Turns left out because something else used the cores. */
  readonly disturbed: number
  /** The most that anything else used of the cores in a turn that was left out, 0-1. */
  readonly loudest: number
  /** Gateways of other people that did not answer rightly, and what they answered. */
  readonly failed: readonly { readonly name: SubjectName; readonly reason: string }[]
  /** Requests made of each subject, in all turns, with the warm-up and what was asked to learn what a right answer is. */
  readonly requests: Readonly<Partial<Record<SubjectName, number>>>
}

/** A turn is left out when anything else took more than this part of the cores. */
export const FOREIGN_LIMIT = 0.08
/** Fewer quiet turns than this are not a series. */
const FEWEST_TURNS = 2

/** Keeps the quiet turns; none when there are too few. */
export function chooseTurns(all: readonly Turn[]): Pick<Series, 'turns' | 'disturbed' | 'loudest'> {
  const quiet = all.filter(isQuiet)
  const turns = quiet.length >= FEWEST_TURNS ? quiet : []
  return { turns, disturbed: all.length - quiet.length, loudest: Math.max(0, ...all.map(foreignIn)) }
}

/** Whether the turn may count. */
export function isQuiet(turn: Turn): boolean {
  return foreignIn(turn) <= FOREIGN_LIMIT
}

/** The most that anything else used of the cores in one of its rounds, 0-1. */
export function foreignIn(turn: Turn): number {
  return Math.max(0, ...Object.values(turn).flatMap((round) => round?.foreign ?? []))
}
