import type { KeyWithOwner } from '../access/api-key.ts'
import type { Group } from '../access/group.ts'
import type { Fault } from '../core/faults.ts'
import type { AttemptObstacle } from '../core/model-list-results.ts'
import type { Wire } from '../core/wire.ts'
import type { LearnedRefusal } from '../routing/learned-refusals.ts'
import type { RouteStep } from '../routing/route-trace.ts'
import type { CallableModel } from './callable-models.ts'

/** What a request would be, as far as its targets depend on it. */
export interface RouteQuestion {
  readonly of: KeyWithOwner
  readonly modelName: string
  readonly wire: Wire
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** Where a request would go, as one node sees it now, without sending it. */
export interface RouteExplanation extends CallableModel {
  /** The targets that would be asked first, in their order. */
  readonly candidates: readonly ExplainedTarget[]
  /** The milliseconds without an answer after which one more is asked beside the first; null: none is. */
  readonly hedgeAfterMs: number | null
  /** What the request would get since none of them may be asked, nor in a moment; null: one would be asked. */
  readonly fault: Fault | null
}

export interface ExplainedTarget extends RouteStep {
  readonly model: string
  readonly priority: number
  readonly weight: number
  /** The group in which the request would be charged there; null: none of the key's that serves the model may use it. */
  readonly group: Group | null
  /** The attempt that would ask it, if those before failed; null: none would. */
  readonly attempt: number | null
  /** How many milliseconds more it rests, no more than a request waits where no other may be asked; null: it is not waited for. */
  readonly waitMs: number | null
  /** Why no answer came from it when it began to rest; null: one came, it does not rest, or nothing says why. */
  readonly why: AttemptObstacle | null
  /** Whether it would be asked beside the first, where that lets wait. */
  readonly isHedge: boolean
  /** Settings that it would be asked without, since it refuses them. */
  readonly learned: readonly LearnedRefusal[]
}
