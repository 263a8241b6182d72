import { CollectedBytes } from '../../core/collected-bytes.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { ResponseAdapter } from '../request/outbound.ts'

/** What has come of the answer of the attempt under way. */
export class ReceivedAnswer {
  /** 0: no head came. */
  status = 0
  contentType = 'application/json'
  /** Reads the answer's stream and writes the client's; null: not opened, or the wire has no streams. */
  reader: StreamReader | null = null
  readonly collected = new CollectedBytes()
  readonly unread = new UnreadBytes()

  /** Opens the reader, where that was not done yet. */
  open(adapter: Pick<ResponseAdapter, 'openStream'> | null): StreamReader | null {
    return (this.reader ??= adapter?.openStream?.() ?? null)
  }

  /** Forgets all of it: another attempt takes its place. */
  clear(): void {
    this.status = 0
    this.reader = null
    this.collected.clear()
    this.unread.clear()
  }
}

/** What came of an upstream's stream and was not looked at yet, in order. */
class UnreadBytes {
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
