/** What came of an upstream's stream and was not looked at yet, in order. */
export class UnreadBytes {
  /** Apart from the rest, since a chunk is looked at before the next one comes, as a rule. */
  #next: Buffer | null = null
  readonly #later: Buffer[] = []

  add(chunk: Buffer): void {
    if (this.#next === null) this.#next = chunk
    else this.#later.push(chunk)
  }

  /** The next bytes, at most `limit` of them; null when there are none. */
  take(limit: number): Buffer | null {
    const next = this.#next
    if (next === null) return null
    if (next.length > limit) {
      this.#next = next.subarray(limit)
      return next.subarray(0, limit)
    }
    this.#next = this.#later.length === 0 ? null : (this.#later.shift() ?? null)
    return next
  }

  /** All of them; null when there are none. */
  takeAll(): Buffer | null {
    if (this.#next === null) return null
    const all = Buffer.concat([this.#next, ...this.#later])
    this.clear()
    return all
  }

  clear(): void {
    this.#next = null
    this.#later.length = 0
  }
}
