import { isUtf8 } from 'node:buffer'
import type { CapturedBody } from '../../access/capture.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { CAPTURE_BODY_BYTES } from '../../core/limits.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Longer than any secret. Where a body is cut, so much of its end goes as well: it may be the half of one. */
const BEHIND_BYTES = 8_192
/** A character of UTF-8 that a cut went through leaves at most so many bytes. */
const HALF_CHARACTER_BYTES = 3

/** The beginning of one body on its way into a capture. */
export class KeptBytes {
  readonly #collected = new CollectedBytes()
  readonly #take: (bytes: number) => boolean
  #held = 0
  #bytes = 0
  #isFull = false

  /** `take`: asks for room, and is refused where this process keeps too much already. */
  constructor(take: (bytes: number) => boolean) {
    this.#take = take
  }

  /** The bytes are the sender's, so they are copied. */
  add(bytes: Buffer): void {
    this.#bytes += bytes.length
    const room = Math.min(bytes.length, CAPTURE_BODY_BYTES + BEHIND_BYTES - this.#held)
    if (this.#isFull || room <= 0) return
    this.#isFull = !this.#take(room)
    if (this.#isFull) return
    this.#held += room
    this.#collected.add(Buffer.from(bytes.subarray(0, room)), Infinity)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What is kept, without any of these secrets: see `without-secrets.ts`. */
  without(secrets: readonly string[]): CapturedBody {
    const whole = this.#collected.whole()
    const isWhole = whole.length === this.#bytes && whole.length <= CAPTURE_BODY_BYTES
    const clean = masked(whole, secrets)
    const end = Math.min(CAPTURE_BODY_BYTES, Math.max(0, clean.length - BEHIND_BYTES))
    const kept = isWhole ? clean : clean.subarray(0, end)
    const text = asText(kept, isWhole)
    return {
      encoding: text === null ? 'base64' : 'utf8',
      text: text ?? kept.toString('base64'),
      bytes: this.#bytes,
      is_cut: !isWhole,
    }
  }
}

function masked(bytes: Buffer, secrets: readonly string[]): Buffer {
  const text = bytes.toString('latin1')
  const left = withoutSecrets(text, secrets.map(asLatin1))
  return left === text ? bytes : Buffer.from(left, 'latin1')
}

function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** null: it is not text. */
function asText(bytes: Buffer, isWhole: boolean): string | null {
  for (let cut = 0; cut <= (isWhole ? 0 : HALF_CHARACTER_BYTES) && cut <= bytes.length; cut++) {
    const text = bytes.subarray(0, bytes.length - cut)
    if (isUtf8(text)) return text.toString('utf8')
  }
  return null
}
