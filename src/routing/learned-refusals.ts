import { LEARNED_OF_TARGET_LIMIT, LEARNED_VALUES_OF_TARGET_LIMIT } from '../core/limits.ts'
import type { DroppableSetting } from '../core/request-settings-names.ts'
import type { LimitedTarget } from './kept-limits.ts'

/** A setting of requests that an upstream has refused by name for one of its models, and that is left out there since. */
export interface LearnedRefusal {
  readonly setting: DroppableSetting
  /** The value that was refused, as JSON writes it; null: any is. */
  readonly value: string | null
  /** Epoch milliseconds. */
  readonly refusedAt: number
  /** What the upstream said, as far as it is kept. */
  readonly said: string
}

/** What one process learned, and all others read. */
export interface RefusalNote extends LimitedTarget, LearnedRefusal {
  /** `configurationMark` of the target when it was learned: what is configured otherwise is asked anew. */
  readonly mark: string
}

export interface LearnedRefusalStore {
  refusalNotes(): Promise<readonly RefusalNote[]>
  /**
   * Writes it down in the place of what was known of the setting and value; what is written is a change that nodes follow.
   * Beyond the bounds of core/limits.ts it is not written. `nowMs`: what is older than a day is forgotten.
   */
  noteRefusal(note: RefusalNote, nowMs: number): Promise<void>
}

/**
 * What is known of one model of an upstream together with a new refusal; null: it is known already, or there is no room for it.
 * Two targets there may take different fields, so what was learned under another mark stays beside it.
 */
export function withRefusal(
  known: readonly RefusalNote[],
  note: RefusalNote,
  nowMs: number,
): readonly RefusalNote[] | null {
  const lasting = known.filter(({ refusedAt }) => refusedAt + REMEMBERED_MS > nowMs)
  const own = lasting.filter(({ mark }) => mark === note.mark)
  const isKnown = own.some(({ setting, value }) => setting === note.setting && (value === null || value === note.value))
  if (isKnown) return null
  // The whole of a setting stands for its values.
  const rest = own.filter(({ setting }) => setting !== note.setting || note.value !== null)
  if (rest.length >= LEARNED_OF_TARGET_LIMIT) return null
  const values = rest.filter(({ value }) => value !== null)
  if (note.value !== null && values.length >= LEARNED_VALUES_OF_TARGET_LIMIT) return null
  const others = lasting.filter(({ mark }) => mark !== note.mark)
  return [...others.slice(-LEARNED_OF_TARGET_LIMIT), ...rest, note]
}

/** A refusal is remembered for a day: models and their servers change. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1_000
