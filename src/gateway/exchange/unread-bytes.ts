/** What came of an upstream's stream and was not looked at yet, in order. */
export class UnreadBytes {
  readonly #chunks: Buffer[] = []

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  /** The next bytes, at most `limit` of them; null when there are none. */
  take(limit: number): Buffer | null {
    const [first] = this.#chunks
    if (first === undefined) return null
    if (first.length <= limit) {
      this.#chunks.shift()
      return first
    }
    this.#chunks[0] = first.subarray(limit)
    return first.subarray(0, limit)
  }

  /** All of them; null when there are none. */
  takeAll(): Buffer | null {
    if (this.#chunks.length === 0) return null
    const all = Buffer.concat(this.#chunks)
    this.clear()
    return all
  }

  clear(): void {
    this.#chunks.length = 0
  }
}
