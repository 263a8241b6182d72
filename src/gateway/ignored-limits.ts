import type { Target } from '../routing/catalog.ts'
import type { LimitedTarget, LimitNote, LimitVerdict } from '../routing/kept-limits.ts'

/** Some providers count what ends an answer, or calls of tools. */
const MORE_TOKENS = 48
/** No catalogue has more targets. */
const TARGETS_LIMIT = 10_000

/** What an answer showed of the limit that it was sent. */
export interface LimitedAnswer {
  /** Tokens that it had, of so many that it was to have at most. */
  readonly output: number
  readonly limit: number
  /** The most that its model writes by itself, in tokens of all answers together; Infinity: not known. */
  readonly ofModel: number
  /** Whether the answer says that it was cut at its limit. Called only where that is news. */
  readonly isCut?: (() => boolean) | undefined
}

/**
 * Knows which targets keep to the limit of output that goes upstream, as their answers have shown to this process or to another: what
 * is news goes to `onNews`, which writes it down for all. An answer that ended by itself before its limit shows nothing.
 */
export class IgnoredLimits {
  readonly #onNews: (note: LimitNote) => void
  /** Verdicts by upstream and by model: a lookup with each request must make no text. */
  readonly #known = new Map<string, Map<string, LimitVerdict>>()
  #size = 0

  constructor(onNews: (note: LimitNote) => void = () => {}) {
    this.#onNews = onNews
  }

  /** Takes what is written down. */
  adopt(notes: readonly LimitNote[]): void {
    for (const note of notes) this.#learn(note)
  }

  note(target: LimitedTarget, answer: LimitedAnswer): void {
    const verdict = this.#verdictOn(target, answer)
    if (verdict === null) return
    const { upstreamId, model } = target
    const note = { upstreamId, model, verdict }
    if (this.#learn(note)) this.#onNews(note)
  }

  /** An answer was longer than its limit. */
  has(target: LimitedTarget): boolean {
    return this.#of(target) === 'ignores'
  }

  /**
   * Nothing may be held by the limit of a request that goes to one of these: one has passed a limit, or one of the first in line
   * was never seen to stop at one and the answer is to be whole, which cannot be ended for want of money. Else many such requests
   * would find out together. Those behind the first are seldom asked, and would stay unknown for ever; see `mayBePassedBy`.
   */
  mayPass(
    targets: readonly (LimitedTarget & Pick<Target, 'priority'>)[],
    { isStream }: { readonly isStream: boolean },
  ): boolean {
    let first = Infinity
    for (const { priority } of targets) if (priority < first) first = priority
    for (const target of targets) {
      const verdict = this.#of(target)
      if (verdict === 'ignores' || (verdict === undefined && !isStream && target.priority === first)) return true
    }
    return false
  }

  /** One of those behind the first: whether an answer that is to be whole may pass its limit there. */
  mayBePassedBy(target: LimitedTarget): boolean {
    return this.#of(target) !== 'keeps'
  }

  #of({ upstreamId, model }: LimitedTarget): LimitVerdict | undefined {
    return this.#known.get(upstreamId)?.get(model)
  }

  /** A limit near the model's own proves nothing: there it ends by itself, and says the same. */
  #verdictOn(target: LimitedTarget, { output, limit, ofModel, isCut }: LimitedAnswer): LimitVerdict | null {
    if (output > limit + marginOf(limit) + MORE_TOKENS) return 'ignores'
    if (isCut === undefined || limit > ofModel / 2 || this.#of(target) !== undefined) return null
    return output >= limit - marginOf(limit) && isCut() ? 'keeps' : null
  }

  /** Returns whether it is news. */
  #learn({ upstreamId, model, verdict }: LimitNote): boolean {
    const before = this.#known.get(upstreamId)?.get(model)
    if (before === verdict || before === 'ignores') return false
    if (before === undefined) {
      if (this.#size >= TARGETS_LIMIT) return false
      this.#size += 1
    }
    const ofUpstream = this.#known.get(upstreamId) ?? new Map<string, LimitVerdict>()
    this.#known.set(upstreamId, ofUpstream.set(model, verdict))
    return true
  }
}

/** How many tokens longer an answer of so many may seem: two tokenizers differ by some percent. */
export function marginOf(tokens: number): number {
  return Math.ceil(tokens / 16) + 16
}
