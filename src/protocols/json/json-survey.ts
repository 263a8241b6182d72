import { isName } from './json-bytes.ts'
import { type StringEnds, stringEndsOf } from './quote-marks/string-ends.ts'

/** What a walk over JSON says of it, without parsing it. */
export interface JsonSurvey {
  /** Whether there are more objects, lists and entries than asked about. The walk ends there. */
  readonly hasMoreValues: boolean
  /** How many there are, as far as it went. */
  readonly values: number
  /** Whether `JSON.stringify` writes what `JSON.parse` reads of the values below free fields, but for white space and escapes. */
  readonly isExact: boolean
}

/**
 * What is below a free field: `data`, such as arguments, or a `schema`, which has most of the keys of a body. They are not
 * compared there: of two that are the same, the last counts, as for all who read schemas.
 */
export type FreeKind = 'data' | 'schema'

/** The names of fields whose values are not ours to read, at any depth; null: all of them. */
export type FreeFields = ReadonlyMap<string, FreeKind> | null

export interface SurveyOptions {
  readonly free: FreeFields
  readonly mostValues: number
}

/** Whether JavaScript holds everything of the values below free fields as it came. May say no where it does, never the reverse. */
export function isAsJavaScriptHasIt(bytes: Buffer, free: FreeFields): boolean {
  return surveyJson(bytes, { free, mostValues: Infinity }).isExact
}

/** Walks over the bytes once. What is not JSON gets any answer: its parser says so. */
export function surveyJson(bytes: Buffer, { free, mostValues }: SurveyOptions): JsonSurvey {
  const survey = new Survey(bytes, mostValues)
  if (free === null) survey.inside(0, 'data')
  else survey.outside(free)
  return survey
}

class Survey implements JsonSurvey {
  readonly #bytes: Buffer
  readonly #ends: StringEnds
  readonly #mostValues: number
  #keys: KeysSeen | null = null
  #values = 0
  hasMoreValues = false
  isExact = true

  constructor(bytes: Buffer, mostValues: number) {
    this.#bytes = bytes
    this.#ends = stringEndsOf(bytes)
    this.#mostValues = mostValues
  }

  get values(): number {
    return this.#values
  }

  /** Nearly all of a body: only its values are counted, and free fields looked for. */
  outside(free: ReadonlyMap<string, FreeKind>): void {
    const bytes = this.#bytes
    const { lengths, letters } = namesLike(free)
    let values = 0
    for (let at = 0, byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
      if (byte === QUOTE) {
        const start = at
        at = this.#behindString(at)
        if (at < 0) break
        const length = at - start - 2
        if (length > 31 || ((lengths >>> length) & (letters >>> Number(bytes[start + 1])) & 1) === 0) continue
        const kind = this.#kindOf(start, at, free)
        if (kind === null) continue
        this.#values = values
        at = this.inside(at, kind)
        values = this.#values
        if (at < 0) break
        continue
      }
      if ((byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) && ++values > this.#mostValues) {
        this.hasMoreValues = true
        break
      }
      at++
    }
    this.#values = values
  }

  /** Walks over the free value that begins behind that offset, and returns the offset behind it; -1 where nothing more has to be seen. */
  inside(from: number, kind: FreeKind): number {
    const bytes = this.#bytes
    const mostValues = this.#mostValues
    const mayStop = mostValues === Infinity
    const isData = kind === 'data'
    /** Where the brackets stand that are open. */
    const open: number[] = []
    let { isExact } = this
    let values = this.#values
    let at = from
    for (let byte = bytes[at]; byte !== undefined; byte = bytes[at]) {
      if (byte === QUOTE) {
        const end = this.#behindString(at)
        if (end < 0) break
        if (isExact && (isData || isDigit(bytes[at + 1])) && isName(bytes, end)) isExact = this.#seesKey(at, end, open)
        at = end
      } else if (byte === COLON) at++
      else if (byte === COMMA) {
        at++
        values++
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        open.push(++at)
        values++
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        at++
        open.pop()
        if (open.length === 0) break
      } else if (byte === MINUS || isDigit(byte)) {
        const end = endOfNumber(bytes, at)
        isExact &&= isPlainNumber(bytes, at, end)
        at = end
      } else at++
      if (values > mostValues || (mayStop && !isExact)) break
    }
    this.isExact = isExact
    this.#values = values
    this.hasMoreValues = values > mostValues
    return this.hasMoreValues || (mayStop && !isExact) ? -1 : at
  }

  /** The offset behind the string that begins at `start`; -1: it is never closed. */
  #behindString(start: number): number {
    const end = this.#ends.endFrom(start + 1, Infinity)
    return end < 0 ? -1 : end + 1
  }

  /** Whether the key is another than all before it in its object, and none that JavaScript sorts. */
  #seesKey(start: number, end: number, open: readonly number[]): boolean {
    this.#keys ??= new KeysSeen(this.#bytes)
    return this.#keys.add(start + 1, end - 1, open.at(-1) ?? 0)
  }

  /** What begins behind the string, where that is a free field with an object or a list in it. */
  #kindOf(start: number, end: number, free: ReadonlyMap<string, FreeKind>): FreeKind | null {
    const bytes = this.#bytes
    const kind = free.get(bytes.toString('latin1', start + 1, end - 1))
    if (kind === undefined || !isName(bytes, end)) return null
    let at = bytes.indexOf(COLON, end) + 1
    while ((bytes[at] ?? CLOSE_BRACE) <= SPACE) at++
    return bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET ? kind : null
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** Sets the bit by which capitals differ from small letters. */
const SMALL = 0x20
const LETTER_E = 0x65

/** A bit for each length of a name, all of which are shorter than 31 letters, and for the last five bits of each first letter. */
interface NamesLike {
  readonly lengths: number
  readonly letters: number
}

/** Made once for each set of names. */
const LIKE = new WeakMap<ReadonlyMap<string, FreeKind>, NamesLike>()

function namesLike(names: ReadonlyMap<string, FreeKind>): NamesLike {
  const known = LIKE.get(names)
  if (known !== undefined) return known
  let [lengths, letters] = [0, 0]
  for (const name of names.keys()) {
    lengths |= 1 << name.length
    letters |= 1 << name.charCodeAt(0)
  }
  const like = { lengths, letters }
  LIKE.set(names, like)
  return like
}

function endOfNumber(bytes: Buffer, start: number): number {
  let at = start
  for (let byte = bytes[at]; byte !== undefined && isOfNumber(byte); byte = bytes[at]) at++
  return Math.max(at, start + 1)
}

function isOfNumber(byte: number): boolean {
  return isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || (byte | SMALL) === LETTER_E
}

const PLUS = 0x2b

/** Numbers of so many characters are written by JavaScript with the digits that they came with. */
const PLAIN_CHARACTERS = 15

/** Whether JavaScript writes a number as it stands there. */
function isPlainNumber(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > PLAIN_CHARACTERS) return false
  let hasPoint = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if ((byte | SMALL) === LETTER_E) return false
    hasPoint ||= byte === POINT
  }
  const isNegative = bytes[start] === MINUS
  if (!hasPoint) return !(isNegative && bytes[start + 1] === ZERO)
  // Trailing zeros go, and what is smaller than a millionth gets an exponent.
  return bytes[end - 1] !== ZERO && !isTiny(bytes, isNegative ? start + 1 : start)
}

function isTiny(bytes: Buffer, start: number): boolean {
  return bytes[start] === ZERO && bytes[start + 2] === ZERO && bytes[start + 3] === ZERO
}

const SEEN_MOST = 131_072
const SEEN_LEAST = 64

/** Keys that stood in each object, by hashes of 32 bits: two different ones may look the same, the same ones never look different. */
class KeysSeen {
  readonly #bytes: Buffer
  readonly #seen: Int32Array
  readonly #mask: number
  #room: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    const size = Math.min(SEEN_MOST, Math.max(SEEN_LEAST, 2 ** Math.ceil(Math.log2(bytes.length / 16))))
    this.#seen = new Int32Array(size)
    this.#mask = size - 1
    this.#room = size / 2
  }

  /** False where the object may have it twice, or JavaScript may sort it, or no room is left to say. */
  add(start: number, end: number, object: number): boolean {
    if (--this.#room < 0 || this.#isIndex(start, end)) return false
    const hash = this.#hash(start, end)
    if (hash === null) return false
    const mixed = hash ^ Math.imul(object, 0x9e3779b1)
    const tag = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) | 1
    let place = (tag ^ (tag >>> 16)) & this.#mask
    for (let found = this.#seen[place]; found !== 0; found = this.#seen[place]) {
      if (found === tag) return false
      place = (place + 1) & this.#mask
    }
    this.#seen[place] = tag
    return true
  }

  /** Whether it is of digits alone. */
  #isIndex(start: number, end: number): boolean {
    let at = start
    while (at < end && isDigit(this.#bytes[at])) at++
    return at === end && start < end
  }

  /** Null for a key with an escape, since the same one may be written without. */
  #hash(start: number, end: number): number | null {
    let hash = end - start
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at] ?? 0
      if (byte === BACKSLASH) return null
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    return hash
  }
}

const BACKSLASH = 0x5c
