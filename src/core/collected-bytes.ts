/** A body that comes in pieces and is read as a whole: the one collector of bytes up to a limit. */
export class CollectedBytes {
  #pieces: Buffer[] = []
  #length = 0
  /** The last of the pieces where small ones are put together, and how much of it is taken. */
  #tail: Buffer | null = null
  #tailLength = 0

  /** Keeps the piece while all of them together have at most `limit` bytes; returns whether it did. */
  add(piece: Buffer, limit: number): boolean {
    this.#length += piece.length
    if (this.#length > limit) return false
    if (piece.length >= SMALL_BYTES || this.#pieces.length < FEW) {
      this.#closeTail()
      this.#pieces.push(piece)
    } else this.#addToTail(piece)
    return true
  }

  /** All pieces that were kept. A single one is not copied. */
  whole(): Buffer {
    this.#closeTail()
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
  }

  clear(): void {
    this.#pieces = []
    this.#length = 0
    this.#tail = null
  }

  /** A Buffer takes some hundred bytes beside its content: a body in pieces of one byte would take gigabytes. */
  #addToTail(piece: Buffer): void {
    if (this.#tail === null || this.#tailLength + piece.length > TAIL_BYTES) {
      this.#closeTail()
      this.#tail = Buffer.allocUnsafeSlow(TAIL_BYTES)
      this.#tailLength = 0
      this.#pieces.push(this.#tail)
    }
    this.#tailLength += piece.copy(this.#tail, this.#tailLength)
  }

  #closeTail(): void {
    if (this.#tail !== null) this.#pieces[this.#pieces.length - 1] = this.#tail.subarray(0, this.#tailLength)
    this.#tail = null
  }
}

/** Few pieces are kept as they come, and large ones always. */
const FEW = 16
const SMALL_BYTES = 1_024
const TAIL_BYTES = 16 * 1_024
