/** Some providers count what ends an answer, or calls of tools. */
const MORE_TOKENS = 48
/** No catalogue is longer. */
const MODELS_LIMIT = 10_000

/** Models whose answers were longer than the limit that went upstream, since this process began. */
export class IgnoredLimits {
  readonly #models = new Set<string>()

  /** An answer had so many output tokens, of so many that it was to have at most. */
  note(modelId: string, { output, limit }: { output: number; limit: number }): void {
    if (output <= limit + marginOf(limit) + MORE_TOKENS || this.#models.size >= MODELS_LIMIT) return
    this.#models.add(modelId)
  }

  has(modelId: string): boolean {
    return this.#models.has(modelId)
  }
}

/** By how many tokens an answer of so many may seem longer: two tokenizers differ by some percent. */
export function marginOf(tokens: number): number {
  return Math.ceil(tokens / 16) + 16
}
