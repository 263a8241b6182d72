import { byteOf, isPlain, QUOTES, unicodeEscapes, zeroByte } from './byte-words.ts'
import { plainKey } from './known-keys.ts'

/** Where a value stands: byte offsets, `end` is the first byte behind it. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The wanted fields of one JSON object, and the first of them that stands there twice. */
export interface ScannedObject {
  /** The last occurrence of each wanted field, as parsers read it. */
  readonly fields: ReadonlyMap<string, Range>
  readonly repeated: string | null
  /** The last occurrence of each noted field. */
  readonly noted: ReadonlyMap<string, NotedField>
}

export interface NotedField extends Range {
  /** Where the first 16 of the objects and lists stand that are directly in its list or object. */
  readonly inside: readonly Range[]
}

/** What to look for: the wanted keys, and who wants to hear of the others and of string values of at least 512 bytes. */
export interface ScanOptions {
  readonly wanted: ReadonlySet<string>
  /** Keys of other fields whose places are returned as well; unlike wanted ones they decide nothing, and may stand there twice. */
  readonly noted?: ReadonlySet<string>
  /** For each other key of the object itself that is not longer than any wanted one can be. */
  readonly onOtherKey?: (key: string) => void
  readonly onLongString?: (walk: JsonWalk, string: Range) => void
  /** For each name of the object and of all objects in it that is not longer than 256 bytes; offsets with the quotes. */
  readonly onName?: (walk: JsonWalk, start: number, end: number) => void
}

/**
 * Finds top-level fields of a JSON object without building it. A 190 KB request of a coding agent takes a tenth to a half
 * of JSON.parse's time, by how many escaped quotes its text has, and a picture of 1 MB a twentieth.
 * Checks what it walks over (brackets and strings that are closed, nothing behind the object) and nothing inside
 * unwanted values; that is left to their parser. A byte order mark and white space around are tolerated.
 * Throws JsonFlaw.
 */
export function scanObject(bytes: Buffer, options: ScanOptions): ScannedObject {
  return new JsonWalk(bytes).object(options)
}

/** The bytes are not one JSON object. The message says what is wrong and at which byte, counted from 0. */
export class JsonFlaw extends Error {}

/** Of scans that note nothing: never written to. */
const NONE_NOTED = new Map<string, NotedField>()

const INSIDE_LIMIT = 16

const LONG_STRING_BYTES = 512

/** Parsers of upstreams give up at 128 (serde) to 1,000 (Python); requests seen in the field stay below 30. */
const DEPTH_LIMIT = 200
/** The widest of the protocols has about 40 fields at the top. */
const KEYS_LIMIT = 1_000
/** The longest wanted key has 21 letters, of 6 bytes each when they are escaped. */
const WANTED_KEY_BYTES = 256
/** Brackets above a value whose path is asked for, and bytes of a key with the white space around it. */
const PATH_LIMIT = 12
const KEY_BYTES = 80
/** Up to here looking at words is faster than the native search, which costs 50 ns to enter. Measured. */
const SHORT_STRING_BYTES = 192

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** One walk over one body. */
export class JsonWalk {
  readonly bytes: Buffer
  readonly #words: DataView
  #at = 0
  /** Offsets of the brackets that are open below the top-level object. */
  readonly #openers: number[] = []
  /** Of the noted field in which the walk is. */
  #inside: Range[] | null = null

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  object(options: ScanOptions): ScannedObject {
    this.#skipByteOrderMark()
    const scanned = this.#object(options)
    if (this.#skipSpace() !== undefined) throw new JsonFlaw(`there is more behind the JSON object, at byte ${this.#at}`)
    return scanned
  }

  #object(options: ScanOptions): ScannedObject {
    this.#expect(OPEN_BRACE, 'a JSON object, which begins with {')
    const fields = new Map<string, Range>()
    let repeated: string | null = null
    const noted = options.noted === undefined ? NONE_NOTED : new Map<string, NotedField>()
    for (let keys = 0; !this.#closes(keys); keys++) {
      const key = this.#key(options)
      this.#expect(COLON, 'a : behind the key')
      const inside = key !== null && options.noted?.has(key) === true ? [] : null
      this.#inside = inside
      const value = this.#value(options)
      if (key === null) continue
      if (!options.wanted.has(key)) {
        if (inside !== null) noted.set(key, { ...value, inside })
        options.onOtherKey?.(key)
        continue
      }
      if (fields.has(key)) repeated ??= key
      fields.set(key, value)
    }
    return { fields, repeated, noted }
  }

  /** Whether the bytes are ASCII without a backslash. */
  isPlain(start: number, end: number): boolean {
    return isPlain(this.#words, start, end)
  }

  /** How many characters are written as `\uXXXX` in the `length` bytes from `start`; a multiple of four, before the last byte. */
  unicodeEscapes(start: number, length: number): number {
    return unicodeEscapes(this.#words, start, start + length)
  }

  /** Brackets that are open below the top-level object, while the walk stands in it. */
  get depth(): number {
    return this.#openers.length
  }

  /** The offset of the innermost bracket that is open; -1 at the top. */
  get innermost(): number {
    return this.#openers.at(-1) ?? -1
  }

  /** The wanted fields of the object that begins at `start`, found by a walk of its own; null where there is none. */
  fieldsFrom(start: number, wanted: ReadonlySet<string>): ScannedObject['fields'] | null {
    try {
      return new JsonWalk(this.bytes.subarray(start)).#object({ wanted }).fields
    } catch (flaw) {
      if (flaw instanceof JsonFlaw) return null
      throw flaw
    }
  }

  /**
   * The keys that lead from the top to the value at `start`, outermost first, while the walk stands there; array
   * positions have none, and a key that is long or written with escapes reads as `?`. Null below PATH_LIMIT brackets.
   * Looks at a bounded number of bytes, so that no body can make it slow.
   */
  keysAbove(start: number): string[] | null {
    if (this.#openers.length > PATH_LIMIT) return null
    const keys: string[] = []
    for (const opener of [...this.#openers, start]) {
      const before = this.bytes.toString('latin1', Math.max(0, opener - KEY_BYTES), opener)
      if (!/[[{,]\s*$/.test(before)) keys.push(/"([^"\\]*)"\s*:\s*$/.exec(before)?.[1] ?? '?')
    }
    return keys
  }

  #skipByteOrderMark(): void {
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.#at = 3
  }

  /** Moves to the next byte that is not white space and returns it; undefined at the end. */
  #skipSpace(): number | undefined {
    let byte = this.bytes[this.#at]
    while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) byte = this.bytes[++this.#at]
    return byte
  }

  #expect(wanted: number, what: string): void {
    if (this.#skipSpace() !== wanted) throw this.#unexpected(what)
    this.#at++
  }

  #unexpected(what: string): JsonFlaw {
    const found = this.#at < this.bytes.length ? `byte ${this.#at} is something else` : 'the body ends there'
    return new JsonFlaw(`expected ${what} at byte ${this.#at}, but ${found}`)
  }

  /** Whether the object ends here; otherwise the walk stands before the next key. */
  #closes(keysSoFar: number): boolean {
    const byte = this.#skipSpace()
    if (byte === CLOSE_BRACE) {
      this.#at++
      return true
    }
    if (keysSoFar === KEYS_LIMIT) throw new JsonFlaw(`the object has more than ${KEYS_LIMIT} keys`)
    if (keysSoFar === 0) return false
    if (byte !== COMMA) throw this.#unexpected('a , or a } behind the value')
    this.#at++
    return false
  }

  /** Null for a key that is longer than any wanted one, escapes included. */
  #key(options: ScanOptions): string | null {
    if (this.#skipSpace() !== QUOTE) throw this.#unexpected('a key in double quotes')
    const start = this.#at
    this.#at = this.#endOfString(start)
    if (this.#at - start > WANTED_KEY_BYTES) return null
    options.onName?.(this, start, this.#at)
    return (
      plainKey(this.bytes, start + 1, this.#at - 1) ??
      unusualKey(this.bytes.toString('utf8', start + 1, this.#at - 1), start)
    )
  }

  #value(options: ScanOptions): Range {
    const byte = this.#skipSpace()
    const start = this.#at
    if (byte === QUOTE) this.#skipString(options)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#skipNested(options)
    else this.#skipLiteral()
    return { start, end: this.#at }
  }

  #skipString(options: ScanOptions): void {
    const start = this.#at
    this.#at = this.#endOfString(start)
    if (this.#at - start >= LONG_STRING_BYTES) options.onLongString?.(this, { start, end: this.#at })
  }

  /** A number, true, false or null, or what stands in their place. */
  #skipLiteral(): void {
    const start = this.#at
    for (; this.#at < this.bytes.length; this.#at++) {
      const byte = this.bytes[this.#at]
      if (byte === COMMA || byte === CLOSE_BRACE || byte === SPACE || byte === LINE_FEED || byte === RETURN) break
      if (byte === QUOTE || byte === COLON || byte === OPEN_BRACE || byte === OPEN_BRACKET) break
    }
    if (this.#at === start) throw this.#unexpected('a value')
  }

  #skipNested(options: ScanOptions): void {
    const { bytes } = this
    const openers = this.#openers
    const listener = options.onLongString
    const { onName } = options
    let at = this.#at
    for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
      if (byte === QUOTE) {
        const end = this.#endOfString(at)
        if (end - at >= LONG_STRING_BYTES) listener?.(this, { start: at, end })
        else if (onName !== undefined && end - at <= WANTED_KEY_BYTES && isName(bytes, end)) onName(this, at, end)
        at = end
        continue
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        openers.push(at)
        if (openers.length > DEPTH_LIMIT) throw new JsonFlaw(`it is nested deeper than ${DEPTH_LIMIT} levels`)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#close(at)
        if (openers.length === 0) break
      }
      at++
    }
    const unclosed = openers.pop()
    if (unclosed !== undefined) throw new JsonFlaw(`the bracket at byte ${unclosed} is never closed`)
    this.#at = at + 1
  }

  /** The offset behind the string that begins at `start`. */
  #endOfString(start: number): number {
    const end = endOfString(this.bytes, this.#words, start)
    if (end < 0) throw new JsonFlaw(`the string at byte ${start} is never closed`)
    return end
  }

  #close(at: number): void {
    const opener = this.#openers.pop() ?? 0
    // In ASCII both kinds of brackets stand two apart: [ ] and { }.
    if (this.bytes[at] !== Number(this.bytes[opener]) + 2) {
      throw new JsonFlaw(`the bracket at byte ${at} does not close the one at byte ${opener}`)
    }
    if (this.#openers.length !== 1 || this.#inside === null || this.#inside.length === INSIDE_LIMIT) return
    this.#inside.push({ start: opener, end: at + 1 })
  }
}

/** The offset behind the string that begins at `start`; -1: it is never closed. `words` are the same bytes. */
export function endOfString(bytes: Buffer, words: DataView, start: number): number {
  let at = nextQuote(bytes, words, start + 1)
  while (at > 0 && bytes[at - 1] === BACKSLASH && isEscaped(bytes, at)) at = nextQuote(bytes, words, at + 1)
  return at < 0 ? -1 : at + 1
}

/**
 * The offset of the next double quote, -1 where there is none. Source code in JSON has an escaped quote every 30 bytes,
 * so this is where a scan spends its time: four bytes at a time took half as long as one by one.
 */
function nextQuote(bytes: Buffer, words: DataView, from: number): number {
  const end = Math.min(bytes.length - 7, from + SHORT_STRING_BYTES)
  let at = from
  for (; at < end; at += 8) {
    const first = zeroByte(words.getInt32(at, true) ^ QUOTES)
    if (first !== 0) return at + byteOf(first)
    const second = zeroByte(words.getInt32(at + 4, true) ^ QUOTES)
    if (second !== 0) return at + 4 + byteOf(second)
  }
  return bytes.indexOf(QUOTE, at)
}

/** Whether an odd number of backslashes stands before `at`. The string's opening quote ends the count. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at
  while (bytes[first - 1] === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/** Whether the string that ends before `end` is a name: a colon stands behind it. */
export function isName(bytes: Buffer, end: number): boolean {
  let at = end
  let byte = bytes[at]
  while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) byte = bytes[++at]
  return byte === COLON
}

function unusualKey(written: string, start: number): string {
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`) as string
  } catch {
    throw new JsonFlaw(`the key at byte ${start} has an escape that JSON does not know`)
  }
}
