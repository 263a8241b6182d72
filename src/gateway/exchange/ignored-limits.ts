/** Some providers count what ends an answer, or calls of tools. */
const MORE_TOKENS = 48
/** No catalogue is longer. */
const MODELS_LIMIT = 10_000

/** Which models keep to the limit of output that goes upstream, as their answers have shown since this process began. */
export class IgnoredLimits {
  readonly #ignoring = new Set<string>()
  readonly #keeping = new Set<string>()

  /** An answer had so many output tokens, of so many that it was to have at most. */
  note(modelId: string, { output, limit }: { output: number; limit: number }): void {
    const models = output <= limit + marginOf(limit) + MORE_TOKENS ? this.#keeping : this.#ignoring
    if (models.size < MODELS_LIMIT) models.add(modelId)
  }

  /** An answer was longer than its limit. */
  has(modelId: string): boolean {
    return this.#ignoring.has(modelId)
  }

  /**
   * Nothing may be held by the limit of a request: the model has passed one, or it has answered under none so far and would
   * send an answer that is whole, which cannot be ended for want of money. Else many such requests would find out together.
   */
  mayPass(modelId: string, { isStream }: { readonly isStream: boolean }): boolean {
    return this.#ignoring.has(modelId) || (!isStream && !this.#keeping.has(modelId))
  }
}

/** By how many tokens an answer of so many may seem longer: two tokenizers differ by some percent. */
export function marginOf(tokens: number): number {
  return Math.ceil(tokens / 16) + 16
}
