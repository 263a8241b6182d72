import { Fault } from '../../core/faults.ts'
import { LARGE_EVENT_BYTES, STREAM_EVENT_LIMIT_BYTES } from '../../core/limits.ts'
import { type EventHolder, LARGE_EVENTS, noRoom } from './large-events.ts'

/**
 * Cuts a stream of bytes at the borders of its events, wherever the network cut it: what comes out are whole events,
 * and an event that has begun waits here for its end. Costs nothing when each chunk is whole, and copies each byte at
 * most twice otherwise, however small the chunks and however large the event.
 */
export class EventBuffer implements EventHolder {
  #bytes = NOTHING
  #length = 0

  get size(): number {
    return this.#bytes.length
  }

  /**
   * The events that are whole now, null when there are none. The chunk itself when it is whole and nothing waited.
   * Throws the fault `upstream_malformed` when one event passes STREAM_EVENT_LIMIT_BYTES, and `rate_limited` when
   * the large events of other streams leave no memory for it.
   */
  take(chunk: Buffer): Buffer | null {
    if (this.#length > 0) return this.#continue(chunk)
    if (endsWithBlankLine(chunk)) return chunk
    const end = endOfLastEvent(chunk) || lineEndsFrom(chunk, 0)
    this.#append(chunk, end)
    return end === 0 ? null : chunk.subarray(0, end)
  }

  /** What waits for its end; it may be written over by the next bytes. */
  get waiting(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** What waits for its end, and nothing waits any more. */
  takeRest(): Buffer {
    const rest = this.#bytes.subarray(0, this.#length)
    this.#clear()
    return rest
  }

  #continue(chunk: Buffer): Buffer | null {
    // A blank line may have begun in what waits.
    const from = Math.max(0, this.#length - 3)
    this.#append(chunk, 0)
    const end = endOfLastEvent(this.#bytes.subarray(from, this.#length))
    if (end === 0) return null
    // What is handed out is never written to again: the rest moves to new memory.
    const all = this.takeRest()
    this.#append(all, from + end)
    return all.subarray(0, from + end)
  }

  #append(bytes: Buffer, from: number): void {
    const length = this.#length + bytes.length - from
    if (length > STREAM_EVENT_LIMIT_BYTES) {
      this.#clear()
      throw new Fault('upstream_malformed', 'The model sent an event that is larger than the gateway supports.')
    }
    if (length > this.#bytes.length) this.#grow(length)
    bytes.copy(this.#bytes, this.#length, from)
    this.#length = length
  }

  #grow(length: number): void {
    const size = Math.max(SMALLEST_BYTES, Math.min(length * 2, Math.max(length, STREAM_EVENT_LIMIT_BYTES)))
    if (size >= LARGE_EVENT_BYTES && !LARGE_EVENTS.mayGrow(this, size)) {
      this.#clear()
      throw noRoom()
    }
    const larger = Buffer.allocUnsafe(size)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  #clear(): void {
    this.#bytes = NOTHING
    this.#length = 0
  }
}

const NOTHING = Buffer.alloc(0)
const SMALLEST_BYTES = 512

const LINE_FEED = 0x0a
const RETURN = 0x0d

function endsWithBlankLine(bytes: Buffer): boolean {
  const last = bytes.length - 1
  if (bytes[last] !== LINE_FEED) return false
  return bytes[last - 1] === LINE_FEED || (bytes[last - 1] === RETURN && bytes[last - 2] === LINE_FEED)
}

/** The offset behind the last blank line and the line ends that follow it; 0 without a blank line. */
function endOfLastEvent(bytes: Buffer): number {
  const plain = bytes.lastIndexOf('\n\n')
  const withReturn = bytes.lastIndexOf('\n\r\n')
  if (plain < 0 && withReturn < 0) return 0
  return lineEndsFrom(bytes, Math.max(plain + 2, withReturn + 3))
}

/** Line ends where an event may begin stand alone: they go with what came before. */
function lineEndsFrom(bytes: Buffer, from: number): number {
  let end = from
  while (bytes[end] === LINE_FEED || bytes[end] === RETURN) end++
  return end
}
