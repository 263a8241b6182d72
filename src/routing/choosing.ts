import type { Candidate } from './candidate.ts'

/** What is chosen by, beside the candidates. */
export interface ChoosingBy {
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  /** Gives numbers from 0 to 1. */
  readonly random: () => number
  /** Requests with the same number go to the same target as long as it is well and no busier than others; null: to any. */
  readonly affinity: number | null
  /** The caller, since a target may rest for one caller alone; null: anyone. */
  readonly callerId: string | null
  /** Another has failed: this one does not find out about those in doubt. Left out: none has. */
  readonly isRetry?: boolean
}

export type TargetChoice =
  | {
      readonly kind: 'take'
      readonly candidate: Candidate
      /** All were equal and well, and none too busy: the choice says nothing of their state. Left out: not known. */
      readonly isPlain?: true
      /** All others are well and were not wanted. Left out: any may have been passed over for a reason. */
      readonly looked?: readonly Candidate[]
    }
  /** All rest; the first may be asked at `at`. */
  | { readonly kind: 'rest'; readonly candidate: Candidate; readonly at: number }
  | { readonly kind: 'none' }
