/** What a workload's turns brought. */
import type { SubjectName } from '../subjects/target.ts'
import type { Workload } from '../workload.ts'
import type { Round } from './stage.ts'

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
