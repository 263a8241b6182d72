import { FileBroken, type Key, lineBehind, lineOf, lineStart } from './editor.ts'

/** A table's header or a pair, and where it stands. */
export type TomlStatement = TomlHeader | TomlPair

export interface TomlHeader {
  readonly kind: 'table' | 'list_of_tables'
  readonly path: Key
  /** The whole line. */
  readonly start: number
  readonly end: number
}

export interface TomlPair {
  readonly kind: 'pair'
  /** The names of the table that it stands in, and its own. */
  readonly path: Key
  readonly table: TomlHeader | null
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
}

const DEEPEST = 100

/** Reads a text of TOML as far as its statements are needed. */
export function parseToml(text: string): readonly TomlStatement[] {
  const reader = new TomlReader(text)
  const statements: TomlStatement[] = []
  let table: TomlHeader | null = null
  for (reader.skip(true); reader.at < text.length; reader.skip(true)) {
    if (text[reader.at] !== '[') {
      statements.push(reader.pair(table))
      continue
    }
    table = reader.header()
    statements.push(table)
  }
  return statements
}

class TomlReader {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Passes over blanks; with lines also over line ends and comments. */
  skip(hasLines: boolean): void {
    this.#take(hasLines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /[ \t]*/y)
  }

  header(): TomlHeader {
    const start = lineStart(this.#text, this.at)
    const isList = this.#take(/\[\[?/y) === '[['
    const path = this.#path()
    if (this.#take(isList ? /\]\]/y : /\]/y) === '') throw this.#broken()
    return { kind: isList ? 'list_of_tables' : 'table', path, start, end: this.#lineEnd() }
  }

  pair(table: TomlHeader | null): TomlPair {
    const start = lineStart(this.#text, this.at)
    const own = this.#path()
    if (this.#take(/=/y) === '') throw this.#broken()
    this.skip(false)
    const valueStart = this.at
    this.#value(0)
    const valueEnd = this.at
    return {
      kind: 'pair',
      path: [...(table?.path ?? []), ...own],
      table,
      start,
      end: this.#lineEnd(),
      valueStart,
      valueEnd,
    }
  }

  #path(): Key {
    const names: string[] = []
    do {
      this.skip(false)
      names.push(this.#name())
      this.skip(false)
    } while (this.#take(/\./y) !== '')
    return names
  }

  #name(): string {
    const bare = this.#take(/[A-Za-z0-9_-]+/y)
    if (bare !== '') return bare
    const literal = this.#take(/'[^'\n]*'/y)
    if (literal !== '') return literal.slice(1, -1)
    const basic = this.#take(/"(?:[^"\\\n]|\\.)*"/y)
    try {
      return JSON.parse(basic) as string
    } catch {
      throw this.#broken()
    }
  }

  #value(depth: number): void {
    if (depth > DEEPEST) throw this.#broken()
    const first = this.#text[this.at]
    if (first === '[' || first === '{') return this.#several(first === '[' ? ']' : '}', depth)
    const found =
      this.#take(/"""(?:[^\\]|\\[^])*?"{3,5}/y) ||
      this.#take(/'''[^]*?'{3,5}/y) ||
      this.#take(/"(?:[^"\\\n]|\\.)*"/y) ||
      this.#take(/'[^'\n]*'/y) ||
      // A date may have its time behind a blank.
      this.#take(/\d{4}-\d\d-\d\d \d[0-9:.Z+-]*/y) ||
      this.#take(/[A-Za-z0-9+_.:-]+/y)
    if (found === '') throw this.#broken()
  }

  #several(closing: ']' | '}', depth: number): void {
    this.at++
    for (let needsComma = false; ;) {
      this.skip(true)
      if (this.#text[this.at] === closing) return void this.at++
      if (needsComma) throw this.#broken()
      if (closing === '}') {
        this.#path()
        if (this.#take(/=/y) === '') throw this.#broken()
        this.skip(true)
      }
      this.#value(depth + 1)
      this.skip(true)
      needsComma = this.#take(/,/y) === ''
    }
  }

  /** Nothing but a comment may stand behind a statement in its line. */
  #lineEnd(): number {
    this.#take(/[ \t]*(?:#[^\n]*)?/y)
    if (this.at < this.#text.length && this.#take(/\r?\n/y) === '') throw this.#broken()
    return lineBehind(this.#text, Math.max(this.at - 1, 0))
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.at += found.length
    return found
  }

  #broken(): FileBroken {
    return new FileBroken(`is not valid TOML (line ${lineOf(this.#text, this.at)})`)
  }
}
