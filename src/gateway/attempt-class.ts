import type { FailureClass } from '../routing/failure-class.ts'

/** How an attempt at an upstream ended: well, by a failure of its own, by what the caller asked, or by us or the caller. */
export type AttemptClass = 'ok' | FailureClass | 'rejected' | 'cancelled'
