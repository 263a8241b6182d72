import { type Range, solidBefore } from './json-bytes.ts'
import { plainKey } from './known-keys.ts'

/** The brackets that are open below the top-level object where a walk stands, and the keys before them. */
export class OpenBrackets {
  readonly #bytes: Buffer
  /** The offsets of the brackets. */
  readonly offsets: number[] = []
  /** The keys before them as far as they were asked for, and the offsets of the brackets that these belong to. */
  readonly #keys: (string | null)[] = []
  readonly #keysOf: number[] = []

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The key of what begins with the open bracket of that level; see `JsonWalk.keyAt`. */
  keyAt(level: number): string | null {
    const opener = this.offsets[level] ?? -1
    if (this.#keysOf[level] !== opener) {
      this.#keysOf[level] = opener
      this.#keys[level] = keyBefore(this.#bytes, opener)
    }
    return this.#keys[level] ?? null
  }

  /** See `JsonWalk.keysAbove`. */
  keysAbove(start: number): string[] | null {
    if (this.isBeyondPaths) return null
    const keys: string[] = []
    for (let level = 0; level < this.offsets.length; level++) {
      const key = this.keyAt(level)
      if (key !== null) keys.push(key)
    }
    const own = keyBefore(this.#bytes, start)
    return own === null ? keys : [...keys, own]
  }

  /** There are so many that no path is known. */
  get isBeyondPaths(): boolean {
    return this.offsets.length > PATH_LIMIT
  }

  /** Closes the innermost by the bracket at that offset and returns what stands between them, or the offset of one that is of the other kind. */
  close(at: number): Range | number {
    const opener = this.offsets.pop() ?? 0
    // In ASCII both kinds of brackets stand two apart: [ ] and { }.
    return this.#bytes[at] === Number(this.#bytes[opener]) + 2 ? { start: opener, end: at + 1 } : opener
  }
}

/** The key of the value at that offset; null where it has none. A long one, or one written with escapes, is `?`. */
export function keyBefore(bytes: Buffer, offset: number): string | null {
  const least = Math.max(0, offset - KEY_BYTES)
  let at = solidBefore(bytes, offset - 1, least)
  const byte = at < least ? undefined : bytes[at]
  if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) return null
  if (byte !== COLON) return '?'
  const end = solidBefore(bytes, at - 1, least)
  if (end <= least || bytes[end] !== QUOTE) return '?'
  at = end - 1
  while (at >= least && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at--
  if (at < least || bytes[at] === BACKSLASH || bytes[at - 1] === BACKSLASH) return '?'
  return plainKey(bytes, at + 1, end) ?? bytes.toString('latin1', at + 1, end)
}

/** Brackets above a value whose path is asked for, and bytes of a key with the white space around it. */
const PATH_LIMIT = 12
const KEY_BYTES = 80

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
