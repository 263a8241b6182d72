import { FileBroken, lineOf } from './editor.ts'

/** A value of JSON with comments (JSONC), and where it stands. */
export type JsonNode = JsonObject | { readonly kind: 'other'; readonly start: number; readonly end: number }

export interface JsonObject {
  readonly kind: 'object'
  readonly start: number
  readonly end: number
  readonly members: readonly JsonMember[]
}

export interface JsonMember {
  readonly name: string
  readonly start: number
  readonly value: JsonNode
  /** Where the comma behind it is; null where there is none. */
  readonly comma: number | null
}

/** Deeper than any file of settings. */
const DEEPEST = 200

/** Reads the whole text. Comments and commas before a closing bracket are allowed, as clients allow them. */
export function parseJson(text: string): JsonNode {
  const reader = new JsonReader(text)
  const root = reader.value(0)
  reader.skip()
  if (reader.at < text.length) throw reader.broken()
  return root
}

class JsonReader {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  broken(): FileBroken {
    return new FileBroken(`is not valid JSON (line ${lineOf(this.#text, this.at)})`)
  }

  /** Passes over white space and comments. */
  skip(): void {
    const space = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y
    space.lastIndex = this.at
    space.exec(this.#text)
    this.at = space.lastIndex
  }

  value(depth: number): JsonNode {
    this.skip()
    if (depth > DEEPEST) throw this.broken()
    const first = this.#text[this.at]
    if (first === '{') return this.#object(depth)
    const start = this.at
    if (first === '[') this.#array(depth)
    else if (first === '"') this.#string()
    else this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y)
    return { kind: 'other', start, end: this.at }
  }

  #object(depth: number): JsonObject {
    const start = this.at++
    const members: JsonMember[] = []
    for (;;) {
      this.skip()
      if (this.#text[this.at] === '}') return { kind: 'object', start, end: ++this.at, members }
      if (members.length > 0 && members.at(-1)?.comma === null) throw this.broken()
      members.push(this.#member(depth))
    }
  }

  #member(depth: number): JsonMember {
    const start = this.at
    const name = this.#string()
    this.skip()
    this.#match(/:/y)
    const value = this.value(depth + 1)
    return { name, start, value, comma: this.#comma() }
  }

  #array(depth: number): void {
    this.at++
    for (let needsComma = false; ;) {
      this.skip()
      if (this.#text[this.at] === ']') return void this.at++
      if (needsComma) throw this.broken()
      this.value(depth + 1)
      needsComma = this.#comma() === null
    }
  }

  #comma(): number | null {
    const before = this.at
    this.skip()
    if (this.#text[this.at] === ',') return this.at++
    this.at = before
    return null
  }

  #string(): string {
    const found = this.#match(/"(?:[^"\\\n]|\\.)*"/y)
    try {
      return JSON.parse(found) as string
    } catch {
      throw this.broken()
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) throw this.broken()
    this.at += found.length
    return found
  }
}
