/** A body that comes in pieces and is read as a whole: the one collector of bytes up to a limit. */
export class CollectedBytes {
  #pieces: Buffer[] = []
  #length = 0

  /** Keeps the piece while all of them together have at most `limit` bytes; returns whether it did. */
  add(piece: Buffer, limit: number): boolean {
    this.#length += piece.length
    if (this.#length > limit) return false
    this.#pieces.push(piece)
    return true
  }

  /** All pieces that were kept. A single one is not copied. */
  whole(): Buffer {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
  }

  clear(): void {
    this.#pieces = []
    this.#length = 0
  }
}
