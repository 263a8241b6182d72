/**
 * What the answers of a target have shown of output limits. `keeps`: one was cut at the limit it was sent. `ignores`: one was
 * longer than that, which holds whatever else is seen.
 */
export type LimitVerdict = 'keeps' | 'ignores'

/** A target, by what stays the same while a model's list of targets changes. */
export interface LimitedTarget {
  readonly upstreamId: string
  /** The model's name at that upstream. */
  readonly model: string
}

/** What one process found out, and all others read. */
export interface LimitNote extends LimitedTarget {
  readonly verdict: LimitVerdict
}

export interface KeptLimitStore {
  limitNotes(): Promise<readonly LimitNote[]>
  /** Writes it down, unless as much is known; what is written is a change that nodes follow. */
  noteLimit(note: LimitNote): Promise<void>
}
