import { ExactNumber, type JsonObject } from './json-object.ts'
import { writtenAs } from './exact-json.ts'
import { type FreeFields, isAsJavaScriptHasIt } from './json-survey.ts'

/**
 * Parses JSON as `JSON.parse` does, but for values below a free field: what JavaScript cannot hold of these is kept as
 * `exact-json.ts` has it. Most texts have nothing of the kind and cost a walk over them. Throws SyntaxError.
 */
export function parseExactly(bytes: Buffer, free: FreeFields): unknown {
  const text = bytes.toString().replace(/^\uFEFF/, '')
  return isAsJavaScriptHasIt(bytes, free) ? (JSON.parse(text) as unknown) : parseExactText(text, free)
}

/** Parses a text exactly, without a look at whether it needs it. */
export function parseExactText(text: string, free: FreeFields): unknown {
  try {
    return new ExactReader(text, free).whole()
  } catch (error) {
    // What is wrong with it is for its parser to say.
    if (error instanceof Irregular) return JSON.parse(text) as unknown
    throw error
  }
}

/** Thrown for what is not JSON, or nested more deeply than is read here. */
class Irregular extends Error {}

/** Deeper bodies are refused before, and deeper answers are not believed. */
const DEPTH_LIMIT = 500
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
/** Characters without which a string is what stands between its quotes. */
const UNUSUAL = /[\\\p{Cc}]/u
/** Keys that JavaScript sorts to the front by their value. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/
const CONSTANTS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

class ExactReader {
  readonly #text: string
  readonly #free: FreeFields
  #at = 0
  #depth = 0

  constructor(text: string, free: FreeFields) {
    this.#text = text
    this.#free = free
  }

  whole(): unknown {
    this.#skipSpace()
    const value = this.#value(this.#free === null)
    this.#skipSpace()
    if (this.#at < this.#text.length) throw new Irregular()
    return value
  }

  #value(isFree: boolean): unknown {
    switch (this.#text.charAt(this.#at)) {
      case '{':
        return this.#nested(() => this.#object(isFree))
      case '[':
        return this.#nested(() => this.#list(isFree))
      case '"':
        return this.#string()
      default:
        return this.#literal(isFree)
    }
  }

  #nested<Value>(read: () => Value): Value {
    this.#depth += 1
    if (this.#depth > DEPTH_LIMIT) throw new Irregular()
    const value = read()
    this.#depth -= 1
    return value
  }

  #object(isFree: boolean): JsonObject {
    const start = this.#at
    const object: Record<string, unknown> = {}
    const keys = new KeyOrder()
    for (let count = 0; !this.#closes('}', count); count++) {
      if (this.#text[this.#at] !== '"') throw new Irregular()
      const key = this.#string()
      this.#skipSpace()
      this.#take(':')
      const value = this.#value(isFree || this.#free?.has(key) === true)
      if (isFree) keys.add(key, object)
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
      } else object[key] = value
    }
    return keys.isKept ? object : writtenAs(object, this.#text.slice(start, this.#at))
  }

  #list(isFree: boolean): unknown[] {
    const list: unknown[] = []
    while (!this.#closes(']', list.length)) list.push(this.#value(isFree))
    return list
  }

  /** Whether it ends here; otherwise the reader stands before its next key or value. */
  #closes(bracket: '}' | ']', before: number): boolean {
    if (before === 0) this.#at += 1
    this.#skipSpace()
    if (this.#text[this.#at] === bracket) {
      this.#at += 1
      return true
    }
    if (before > 0) this.#take(',')
    return false
  }

  /** Takes the character, and the white space behind it. */
  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw new Irregular()
    this.#at += 1
    this.#skipSpace()
  }

  #string(): string {
    const start = this.#at
    let end = this.#text.indexOf('"', start + 1)
    while (end >= 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1)
    if (end < 0) throw new Irregular()
    this.#at = end + 1
    const characters = this.#text.slice(start + 1, end)
    return UNUSUAL.test(characters) ? unescaped(this.#text.slice(start, end + 1)) : characters
  }

  #literal(isFree: boolean): unknown {
    for (const [word, value] of CONSTANTS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    NUMBER.lastIndex = this.#at
    const written = NUMBER.exec(this.#text)?.[0]
    if (written === undefined) throw new Irregular()
    this.#at += written.length
    const number = Number(written)
    return !isFree || String(number) === written ? number : new ExactNumber(written)
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0
  }
}

/** Whether JavaScript has the keys of an object as they came: each once, and whole numbers in front, in their order. */
class KeyOrder {
  isKept = true
  #last = -1
  #hasNames = false

  add(key: string, before: Readonly<Record<string, unknown>>): void {
    if (Object.hasOwn(before, key)) this.isKept = false
    if (!INDEX.test(key)) this.#hasNames = true
    else {
      const index = Number(key)
      if (this.#hasNames || index < this.#last) this.isKept = false
      this.#last = index
    }
  }
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 1
}

function unescaped(written: string): string {
  try {
    return JSON.parse(written) as string
  } catch {
    throw new Irregular()
  }
}
