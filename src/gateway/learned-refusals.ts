import type { Clock } from '../core/clock.ts'
import { LEARNING_TARGETS_LIMIT } from '../core/limits.ts'
import { type LearnedRefusal, type RefusalNote, withRefusal } from '../routing/learned-refusals.ts'
import { configurationMark, type ConfiguredTarget, refusalsNow } from '../routing/refusals-now.ts'

export interface LearnedRefusalsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Writes it down for all; resolves when that is done, or has failed for good. */
  readonly onNews?: (note: RefusalNote) => Promise<void>
}

/**
 * Knows which settings of requests targets refuse by name, as this process has learned or another one has written down. They are
 * left out there for a day, or until the target or its upstream is configured otherwise.
 */
export class LearnedRefusals {
  readonly #clock: Pick<Clock, 'now'>
  readonly #onNews: (note: RefusalNote) => Promise<void>
  /** Refusals by upstream and by model: a lookup with each request must make no text. */
  #known = new Map<string, Map<string, readonly RefusalNote[]>>()
  /** Refusals that stay when what is written down is read without them. */
  readonly #unwritten = new Set<RefusalNote>()

  constructor({ clock, onNews = async () => {} }: LearnedRefusalsOptions) {
    this.#clock = clock
    this.#onNews = onNews
  }

  /** Takes what is written down in the place of what was known. */
  adopt(notes: readonly RefusalNote[]): void {
    this.#known = new Map()
    for (const note of [...notes, ...this.#unwritten]) this.#add(note)
  }

  /** What is left out at a target now. */
  of(at: ConfiguredTarget): readonly LearnedRefusal[] {
    const notes = this.#known.get(at.target.upstreamId)?.get(at.target.model)
    return notes === undefined ? NONE : refusalsNow(notes, at, this.#clock.now())
  }

  /** A target has refused these, and answered without them. */
  learn(at: ConfiguredTarget, refusals: readonly Omit<LearnedRefusal, 'refusedAt'>[]): void {
    const { upstreamId, model } = at.target
    const mark = configurationMark(at.upstream, at.target)
    for (const refusal of refusals) {
      const note = { upstreamId, model, mark, refusedAt: this.#clock.now(), ...refusal }
      if (!this.#add(note)) continue
      this.#unwritten.add(note)
      void this.#onNews(note).finally(() => this.#unwritten.delete(note))
    }
  }

  /** Returns whether it is news, and within the bounds. */
  #add(note: RefusalNote): boolean {
    const { upstreamId, model } = note
    const now = this.#clock.now()
    const ofUpstream = this.#known.get(upstreamId) ?? new Map<string, readonly RefusalNote[]>()
    const kept = withRefusal(ofUpstream.get(model) ?? [], note, now)
    if (kept === null) return false
    if (!ofUpstream.has(model) && this.#targets >= LEARNING_TARGETS_LIMIT) return false
    this.#known.set(upstreamId, ofUpstream.set(model, kept))
    return true
  }

  get #targets(): number {
    let count = 0
    for (const models of this.#known.values()) count += models.size
    return count
  }
}

const NONE: readonly LearnedRefusal[] = []
