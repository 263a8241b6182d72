/** An answer that comes in pieces and is read as a whole. */
export class CollectedBytes {
  #pieces: Buffer[] = []
  #length = 0

  /** Keeps the piece as long as all of them together have `limit` bytes at most; returns whether it did. */
  add(piece: Buffer, limit: number): boolean {
    this.#length += piece.length
    if (this.#length > limit) return false
    this.#pieces.push(piece)
    return true
  }

  whole(): Buffer {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
  }

  clear(): void {
    this.#pieces = []
    this.#length = 0
  }
}
