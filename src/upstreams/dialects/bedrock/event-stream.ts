import { crc32 } from 'node:zlib'

/** One message of a binary event stream. */
export interface StreamFrame {
  /** Headers that are texts; those of other types say nothing that is read here. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Buffer
}

/** The bytes are not an event stream, or came damaged. */
export class FrameFlaw extends Error {}

/**
 * Reads `application/vnd.amazon.eventstream` as it comes, in pieces of any cut: a length, the length of the headers and a checksum
 * of both; headers; payload; a checksum of it all.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export class FrameReader {
  /** What came of a frame that is not whole, at the front of a buffer that grows with it. */
  #kept: Buffer = NOTHING
  #size = 0
  /** Bytes of it without which nothing more can be read. */
  #needed = PRELUDE_BYTES

  /** Whether the last frame came whole, and no other has begun. */
  get isBetweenFrames(): boolean {
    return this.#size === 0
  }

  /** The frames that end in this piece, as views of what came. Throws `FrameFlaw`. */
  *read(chunk: Buffer): Generator<StreamFrame, void> {
    let bytes = chunk
    if (this.#size > 0) {
      this.#keep(chunk)
      bytes = this.#kept.subarray(0, this.#size)
    }
    let at = 0
    for (;;) {
      const rest = bytes.length - at
      if (rest >= PRELUDE_BYTES) this.#needed = lengthOf(bytes, at)
      else this.#needed = PRELUDE_BYTES
      if (rest < this.#needed) break
      const end = at + this.#needed
      yield frameOf(bytes.subarray(at, end))
      at = end
    }
    if (at === 0 && bytes !== chunk) return
    // A buffer of its own: what was given away are views of the one before.
    this.#kept = NOTHING
    this.#size = 0
    if (at < bytes.length) this.#keep(bytes.subarray(at))
  }

  /** Appends to what is kept. It grows by doubling: however small the pieces are, each byte is copied a few times. */
  #keep(bytes: Buffer): void {
    const size = this.#size + bytes.length
    if (size > this.#kept.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, Math.min(2 * size, this.#needed)))
      this.#kept.copy(grown, 0, 0, this.#size)
      this.#kept = grown
    }
    bytes.copy(this.#kept, this.#size)
    this.#size = size
  }
}

const NOTHING = Buffer.alloc(0)
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
/** The largest that the specification allows: 24 MB of payload, and 128 KB of headers. */
const LARGEST_FRAME_BYTES = 25_165_824 + 131_072 + PRELUDE_BYTES + CHECKSUM_BYTES

/** The length of the frame that begins there, by a prelude that is as it was sent. */
function lengthOf(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at)
  const headers = bytes.readUInt32BE(at + 4)
  if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) throw new FrameFlaw('a prelude that is damaged')
  if (length > LARGEST_FRAME_BYTES) throw new FrameFlaw(`a frame of ${length} bytes`)
  if (headers + PRELUDE_BYTES + CHECKSUM_BYTES > length) throw new FrameFlaw('headers longer than their frame')
  return length
}

function frameOf(bytes: Buffer): StreamFrame {
  const end = bytes.length - CHECKSUM_BYTES
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw new FrameFlaw('a frame that is damaged')
  const payloadAt = PRELUDE_BYTES + bytes.readUInt32BE(4)
  return {
    headers: readHeaders(bytes.subarray(PRELUDE_BYTES, payloadAt)),
    payload: bytes.subarray(payloadAt, end),
  }
}

function readHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  try {
    for (let at = 0; at < bytes.length;) {
      const nameEnd = at + 1 + bytes.readUInt8(at)
      const name = bytes.toString('utf8', at + 1, nameEnd)
      const type = bytes.readUInt8(nameEnd)
      const fixed = FIXED_BYTES[type]
      const valueAt = nameEnd + (fixed === undefined ? 3 : 1)
      const valueEnd = valueAt + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
      if (type > LAST_TYPE || valueEnd > bytes.length) throw new FrameFlaw('headers that cannot be read')
      if (type === TEXT) headers.set(name, bytes.toString('utf8', valueAt, valueEnd))
      at = valueEnd
    }
  } catch (error) {
    // A read behind the end.
    throw error instanceof RangeError ? new FrameFlaw('headers that are cut off') : error
  }
  return headers
}

/** Bytes of a header's value by its type: true, false, byte, short, integer, long, (bytes), (text), timestamp, UUID. */
const FIXED_BYTES = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16] as const
const TEXT = 7
const LAST_TYPE = 9
