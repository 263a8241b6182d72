import { isPlain, unicodeEscapes } from './byte-words.ts'
import { JsonFlaw, type Range, unusualKey } from './json-bytes.ts'
import { plainKey } from './known-keys.ts'
import { type NameFilter, nestedTokensOf, type NestedTokens, STOP } from './nested-tokens/nested-tokens.ts'
import { keyBefore, OpenBrackets } from './open-brackets.ts'
import { neverClosed, openString, strayBackslash, tooDeep } from './walk-flaws.ts'
import { type StringEnds, stringEndsOf } from './quote-marks/string-ends.ts'

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
  /** Called for each other key of the object itself that is not longer than any wanted one can be. */
  readonly onOtherKey?: (key: string) => void
  readonly onLongString?: (walk: JsonWalk, string: Range) => void
  /** Called for each name of the object and of all objects in it that is not longer than 256 bytes; offsets with the quotes. */
  readonly onName?: (walk: JsonWalk, start: number, end: number) => void
  /** The names below the top that `onName` has to see; left out: all. */
  readonly names?: NameFilter
}

/** One walk over one body, at once or in steps. */
export class JsonWalk {
  readonly bytes: Buffer
  readonly #options: ScanOptions
  readonly #words: DataView
  readonly #ends: StringEnds
  readonly #fields = new Map<string, Range>()
  readonly #noted: Map<string, NotedField>
  #repeated: string | null = null
  /** Where the walk pauses: what begins behind it is left to the next step. */
  #until = Infinity
  #at = 0
  #stage: 'begin' | 'comma' | 'key' | 'value' | 'end' = 'begin'
  #keysSoFar = 0
  /** The key of the field in which the walk is. */
  #key: string | null = null
  #start = 0
  /** Where the search for the end of a string goes on; 0: the walk is in none. */
  #resumeAt = 0
  readonly #open: OpenBrackets
  readonly #tokens: NestedTokens | null
  /** Ranges of the noted field in which the walk is. */
  #inside: Range[] | null = null
  /** Whether `\u` may be in the long string that is shown; null: not known. */
  #hasUnicode: boolean | null = null

  /** `tokensOf`: how it walks over what is nested; null: byte by byte. */
  constructor(bytes: Buffer, options: ScanOptions, tokensOf: typeof nestedTokensOf | null = nestedTokensOf) {
    this.bytes = bytes
    this.#options = options
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#ends = stringEndsOf(bytes, this.#words)
    this.#open = new OpenBrackets(bytes)
    this.#tokens = tokensOf?.(bytes, this.#open.offsets) ?? null
    this.#noted = options.noted === undefined ? NONE_NOTED : new Map<string, NotedField>()
  }

  /** What was found; to be asked when the walk is over. */
  get found(): ScannedObject {
    return { fields: this.#fields, repeated: this.#repeated, noted: this.#noted }
  }

  /**
   * Walks on until about this offset; returns whether the object is whole, with nothing behind it. A string without escaped quotes
   * is passed over in one go, however long it is.
   */
  advance(until: number): boolean {
    if (!this.#advanceInObject(until)) return false
    if (this.#skipSpace() !== undefined) throw new JsonFlaw(`there is more behind the JSON object, at byte ${this.#at}`)
    return true
  }

  /** Walks over the object and looks at nothing behind it. */
  isWholeObject(): boolean {
    return this.#advanceInObject(Infinity)
  }

  #advanceInObject(until: number): boolean {
    this.#until = until
    if (this.#stage === 'begin') {
      // A byte order mark.
      if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.#at = 3
      this.#expect(OPEN_BRACE, 'a JSON object, which begins with {')
      this.#stage = 'comma'
    }
    while (this.#stage !== 'end') {
      if (this.#stage === 'comma') {
        if (this.#at > until) return false
        this.#stage = this.#closes() ? 'end' : 'key'
      } else if (this.#stage === 'key') {
        if (!this.#readKey()) return false
        this.#stage = 'value'
      } else {
        if (!this.#skipValue()) return false
        this.#keep()
        this.#stage = 'comma'
      }
    }
    return true
  }

  /** The field that ends here. */
  #keep(): void {
    const key = this.#key
    if (key === null) return
    const value = { start: this.#start, end: this.#at }
    if (!this.#options.wanted.has(key)) {
      if (this.#inside !== null) this.#noted.set(key, { ...value, inside: this.#inside })
      this.#options.onOtherKey?.(key)
      return
    }
    if (this.#fields.has(key)) this.#repeated ??= key
    this.#fields.set(key, value)
  }

  /** Whether the bytes are ASCII without a backslash. */
  isPlain(start: number, end: number): boolean {
    return isPlain(this.#words, start, end)
  }

  /** Whether `\u` is in the string that has just been passed over; where it stands below the top, may be near it as well. */
  hasUnicodeEscape({ start, end }: Range): boolean {
    return this.#hasUnicode ?? this.#ends.hasUnicodeEscape(start, end)
  }

  /** How many characters are written as `\uXXXX` in the `length` bytes from `start`; a multiple of four, before the last byte. */
  unicodeEscapes(start: number, length: number): number {
    return unicodeEscapes(this.#words, start, start + length)
  }

  /** How far the walk has come. */
  get at(): number {
    return Math.max(this.#at, this.#resumeAt)
  }

  /** Brackets that are open below the top-level object, while the walk stands in it. */
  get depth(): number {
    return this.#open.offsets.length
  }

  /** The offset of the innermost bracket that is open; -1 at the top. */
  get innermost(): number {
    return this.#open.offsets.at(-1) ?? -1
  }

  /** The offset of the open bracket of that level, 0 being the outermost below the top; -1: there is none. */
  openerAt(level: number): number {
    return this.#open.offsets[level] ?? -1
  }

  /**
   * The key of what begins with the open bracket of that level; null where it stands in a list. A long one, or one written with
   * escapes, is `?`.
   */
  keyAt(level: number): string | null {
    return this.#open.keyAt(level)
  }

  /**
   * The keys that lead from the top to the value at `start`, outermost first, while the walk stands there; array
   * positions have none, and a key that is long or written with escapes reads as `?`. Null below PATH_LIMIT brackets.
   * Looks at a bounded number of bytes, so that no body can make it slow.
   */
  keysAbove(start: number): string[] | null {
    return this.#open.keysAbove(start)
  }

  /** The walk stands so deep that it knows no path. */
  get isBeyondPaths(): boolean {
    return this.#open.isBeyondPaths
  }

  /** The offset of the value of the name that ends at `end`. */
  valueBehind(end: number): number {
    const colon = this.#solidFrom(end)
    return this.bytes[colon] === COLON ? this.#solidFrom(colon + 1) : colon
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
  #closes(): boolean {
    const byte = this.#skipSpace()
    if (byte === CLOSE_BRACE) {
      this.#at++
      return true
    }
    if (this.#keysSoFar === KEYS_LIMIT) throw new JsonFlaw(`the object has more than ${KEYS_LIMIT} keys`)
    if (this.#keysSoFar++ === 0) return false
    if (byte !== COMMA) throw this.#unexpected('a , or a } behind the value')
    this.#at++
    return false
  }

  /** Reads the next key, null for one that is longer than any wanted one, escapes included; false where the walk pauses. */
  #readKey(): boolean {
    if (this.#skipSpace() !== QUOTE) throw this.#unexpected('a key in double quotes')
    const start = this.#at
    const end = this.#endOfString(start)
    if (end === 0) return false
    this.#at = end
    this.#key = null
    if (end - start <= WANTED_KEY_BYTES) {
      this.#options.onName?.(this, start, end)
      this.#key =
        plainKey(this.bytes, start + 1, end - 1) ?? unusualKey(this.bytes.toString('utf8', start + 1, end - 1), start)
    }
    this.#expect(COLON, 'a : behind the key')
    this.#inside = this.#key !== null && this.#options.noted?.has(this.#key) === true ? [] : null
    this.#skipSpace()
    this.#start = this.#at
    return true
  }

  /** False where the walk pauses in the midst of the value. */
  #skipValue(): boolean {
    const byte = this.#open.offsets.length > 0 ? OPEN_BRACE : this.bytes[this.#start]
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET)
      return this.#tokens === null ? this.#skipBytes() : this.#skipTokens(this.#tokens)
    if (byte === QUOTE) return this.#skipString()
    this.#skipLiteral()
    return true
  }

  #skipString(): boolean {
    const end = this.#endOfString(this.#start)
    if (end === 0) return false
    this.#at = end
    if (end - this.#start >= LONG_STRING_BYTES) this.#options.onLongString?.(this, { start: this.#start, end })
    return true
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

  /** Walks over an object or a list, byte by byte. */
  #skipBytes(): boolean {
    const { bytes } = this
    const openers = this.#open.offsets
    const { onName, onLongString } = this.#options
    const stop = Math.min(bytes.length, this.#until)
    let at = this.#at
    while (at < stop) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        const end = this.#endOfString(at)
        if (end === 0) break
        if (end - at >= LONG_STRING_BYTES) onLongString?.(this, { start: at, end })
        else if (onName !== undefined && end - at <= WANTED_KEY_BYTES && bytes[this.#solidFrom(end)] === COLON) {
          onName(this, at, end)
        }
        at = end
        continue
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        openers.push(at)
        if (openers.length > DEPTH_LIMIT) throw tooDeep(DEPTH_LIMIT)
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#close(at)
        if (openers.length === 0) {
          this.#at = at + 1
          return true
        }
      } else if (byte === BACKSLASH) throw strayBackslash(at)
      at++
    }
    this.#at = at
    if (at < bytes.length) return false
    throw neverClosed(openers)
  }

  /** The offset behind the string that begins at `start`; 0 where the walk pauses in its midst. */
  #endOfString(start: number): number {
    const at = this.#ends.endFrom(this.#resumeAt === 0 ? start + 1 : this.#resumeAt, this.#until)
    this.#resumeAt = at < -1 ? ~at : 0
    if (at === -1) throw openString(start)
    return at < 0 ? 0 : at + 1
  }

  /** The offset of the first byte from there that is not white space. */
  #solidFrom(from: number): number {
    const { bytes } = this
    let at = from
    let byte = bytes[at]
    while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) byte = bytes[++at]
    // Between the names and values of what is nested it is looked at more than once.
    if (at - from > SPACE_LIMIT) throw new JsonFlaw(`there are more than ${SPACE_LIMIT} blanks from byte ${from} on`)
    return at
  }

  /** Walks over an object or a list, from one place that is to be looked at to the next. */
  #skipTokens(tokens: NestedTokens): boolean {
    const { bytes } = this
    const { onName, onLongString, names = 'all' } = this.#options
    const openers = this.#open.offsets
    if (openers.length === 0) {
      const isFiltered = typeof names === 'object' && !names.wantsAll(keyBefore(bytes, this.#start))
      const shown = onName === undefined ? 'none' : isFiltered ? names : 'all'
      tokens.begin(this.#at, { names: shown, inside: this.#inside === null ? 0 : INSIDE_LIMIT })
    }
    for (;;) {
      const stop = tokens.next(this.#until)
      this.#at = tokens.at
      const { start, end } = tokens
      if (stop === STOP.mayBeName) {
        if (bytes[this.#solidFrom(end)] === COLON) onName?.(this, start, end)
      } else if (stop === STOP.longString) {
        this.#hasUnicode = tokens.hasUnicode
        onLongString?.(this, { start, end })
        this.#hasUnicode = null
      } else if (stop === STOP.inside) this.#noteInside({ start, end })
      else if (stop === STOP.flaw) {
        if (bytes[start] === BACKSLASH) throw strayBackslash(start)
        if (openers.length > DEPTH_LIMIT) throw tooDeep(DEPTH_LIMIT)
        this.#close(start)
      } else if (stop === STOP.unclosed) throw start < 0 ? neverClosed(openers) : openString(start)
      else return stop === STOP.whole
    }
  }

  #close(at: number): void {
    const closed = this.#open.close(at)
    if (typeof closed === 'number') {
      throw new JsonFlaw(`the bracket at byte ${at} does not close the one at byte ${closed}`)
    }
    if (this.#open.offsets.length === 1) this.#noteInside(closed)
  }

  #noteInside(range: Range): void {
    if (this.#inside !== null && this.#inside.length < INSIDE_LIMIT) this.#inside.push(range)
  }
}

/** The notes of scans that note nothing: never written to. */
const NONE_NOTED = new Map<string, NotedField>()

const INSIDE_LIMIT = 16

const LONG_STRING_BYTES = 512

/** Parsers of upstreams give up at 128 (serde) to 1,000 (Python); requests seen in the field stay below 30. */
const DEPTH_LIMIT = 200
/** The widest of the protocols has about 40 fields at the top. */
const KEYS_LIMIT = 1_000
/** The longest wanted key has 21 letters, of 6 bytes each when they are escaped. */
const WANTED_KEY_BYTES = 256
/** Pretty JSON has some hundred. */
const SPACE_LIMIT = 64 * 1024

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
