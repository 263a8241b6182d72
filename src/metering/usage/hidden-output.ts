import { THINKING_MODELS_LIMIT } from '../../core/limits.ts'

/** Answers of one model that are remembered. */
const ANSWERS = 16

/**
 * What each model thought in its last answers, in tokens as its upstreams reported them: what a client that hangs up before
 * the usage comes is charged for thinking that nothing shows. In memory of this process alone; a model that was not called
 * since its start is not known to think.
 */
export class HiddenOutput {
  readonly #byModel = new Map<string, { readonly tokens: number[]; next: number }>()

  /** An answer that was reported whole. `reasoning`: its tokens of thinking; null: nothing was said of them. */
  note(model: string, reasoning: number | null): void {
    if (reasoning === null) return
    let last = this.#byModel.get(model)
    if (last === undefined) {
      if (this.#byModel.size >= THINKING_MODELS_LIMIT) this.#forgetOne()
      last = { tokens: [], next: 0 }
      this.#byModel.set(model, last)
    }
    last.tokens[last.next] = reasoning
    last.next = (last.next + 1) % ANSWERS
  }

  /** Tokens of thinking to expect of an answer: the mean of the upper half of the last ones, so that it leans upwards. 0: none. */
  expected(model: string): number {
    const last = this.#byModel.get(model)?.tokens ?? []
    const upper = last.toSorted((a, b) => b - a).slice(0, Math.ceil(last.length / 2))
    return upper.length === 0 ? 0 : Math.ceil(upper.reduce((sum, tokens) => sum + tokens, 0) / upper.length)
  }

  #forgetOne(): void {
    for (const model of this.#byModel.keys()) {
      this.#byModel.delete(model)
      return
    }
  }
}
