import { CollectedBytes } from '../../core/collected-bytes.ts'

/**
 * Puts the pieces of a stream of server-sent events together to whole events, which end in a blank line of either form. Each byte
 * is looked at once and copied once at most, however small the pieces of a long event are; pieces of whole events are not copied.
 */
export class WholeEvents {
  readonly #begun = new CollectedBytes()
  #size = 0
  /** The last bytes of what has begun: a blank line may have its other half in the next piece. */
  #tail: Buffer = NOTHING

  /** How many bytes of an event whose end has not come are kept. */
  get size(): number {
    return this.#size
  }

  /** The events that end in this piece. */
  add(piece: Buffer): Buffer {
    const end = this.#endIn(piece)
    const rest = end === piece.length ? NOTHING : piece.subarray(end)
    const head = end === 0 ? NOTHING : this.#joined(piece.subarray(0, end))
    if (rest.length > 0) this.#keep(rest)
    return head
  }

  /** What has begun and not ended, which is not kept any longer. */
  takeRest(): Buffer {
    return this.#joined(NOTHING)
  }

  #endIn(piece: Buffer): number {
    const end = endOfLastEvent(piece)
    if (end > 0 || this.#tail.length === 0) return end
    const seam = Buffer.concat([this.#tail, piece.subarray(0, SEAM_BYTES)])
    return Math.max(0, endOfLastEvent(seam) - this.#tail.length)
  }

  #keep(rest: Buffer): void {
    this.#begun.add(rest, Infinity)
    this.#size += rest.length
    this.#tail = rest.length >= SEAM_BYTES ? rest : Buffer.concat([this.#tail, rest])
    this.#tail = this.#tail.subarray(-SEAM_BYTES)
  }

  #joined(last: Buffer): Buffer {
    if (this.#size === 0) return last
    if (last.length > 0) this.#begun.add(last, Infinity)
    const whole = this.#begun.whole()
    this.#begun.clear()
    this.#size = 0
    this.#tail = NOTHING
    return whole
  }
}

const NOTHING = Buffer.alloc(0)
/** One byte less than the longest blank line has, with the end of the line before it. */
const SEAM_BYTES = 2

/** The offset behind the last blank line; 0: there is none. */
function endOfLastEvent(bytes: Buffer): number {
  const plain = bytes.lastIndexOf('\n\n')
  const long = bytes.lastIndexOf('\n\r\n')
  return Math.max(plain < 0 ? 0 : plain + 2, long < 0 ? 0 : long + 3)
}
