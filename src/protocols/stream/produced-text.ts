/** More than any model writes in one answer: 128,000 tokens are about half of it. */
export const PRODUCED_TEXT_LIMIT_BYTES = 1024 * 1024

/** Raw events that wait to be read. Read in bulk, an event costs a fraction of what it costs alone. */
const TAPE_BYTES = 32 * 1024

/** Where a wire's events have their text: in the value of `delta`, as a string or as an object's fields. */
export interface TextShape {
  /** Fields of a delta, at any depth, whose string values were written by the model. */
  readonly fields: readonly string[]
  /** Of these fields one delta may have two with the same text, as some upstreams send reasoning; it counts once. */
  readonly twins?: readonly string[]
  /** Found in the events, it tells that the model has finished. */
  readonly finish?: RegExp
}

/**
 * Collects what the model wrote from a stream's events, for answers that end without a report of usage. Most streams
 * do report, so the work is put off: events are kept as they are, and read when 32 KB have gathered or when asked.
 */
export class ProducedText {
  readonly #finish: RegExp | undefined
  readonly #fields: ReadonlySet<string>
  readonly #twins: ReadonlySet<string>
  #tape: string[] = []
  #tapeBytes = 0
  /** The insides of JSON string literals, not decoded, as Latin-1. */
  readonly #literals: string[] = []
  #bytes = 0
  #finished = false
  /** What a twin field of the delta at hand said. */
  #twin: string | null = null

  constructor(shape: TextShape) {
    this.#fields = new Set(shape.fields)
    this.#twins = new Set(shape.twins)
    this.#finish = shape.finish
  }

  /** Takes whole events, as Latin-1. */
  add(events: string): void {
    this.#tape.push(events)
    this.#tapeBytes += events.length
    if (this.#tapeBytes >= TAPE_BYTES) this.#read()
  }

  get bytes(): number {
    this.#read()
    return this.#bytes
  }

  /** Whether the model said that it has finished. */
  get finished(): boolean {
    this.#read()
    return this.#finished
  }

  toString(): string {
    this.#read()
    const utf8 = Buffer.from(this.#literals.join(''), 'latin1').toString()
    try {
      return JSON.parse(`"${utf8}"`) as string
    } catch {
      // A literal that JSON does not know is still close enough to count its tokens.
      return utf8
    }
  }

  #read(): void {
    if (this.#tapeBytes === 0) return
    const events = this.#tape.join('')
    this.#tape = []
    this.#tapeBytes = 0
    this.#finished ||= this.#finish?.test(events) ?? false
    const found: string[] = []
    // Searched without its opening quote: so many quotes in JSON make the search three times slower.
    for (let at = events.indexOf(DELTA); at >= 0; at = events.indexOf(DELTA, at)) {
      at = this.#readDelta(events, at + DELTA.length, found)
    }
    // Joined, since each slice would keep all of the events in memory.
    this.#keep(found.join(''))
  }

  #keep(literals: string): void {
    const room = PRODUCED_TEXT_LIMIT_BYTES - this.#bytes
    this.#bytes += literals.length
    if (room <= 0 || literals === '') return
    this.#literals.push(literals.length > room ? wholeEscapes(literals.slice(0, room)) : literals)
  }

  /** Reads the value that begins at `start` and returns the offset behind it. */
  #readDelta(events: string, start: number, found: string[]): number {
    this.#twin = null
    let field = ''
    let depth = 0
    for (let at = start; at < events.length; at++) {
      const character = events.charCodeAt(at)
      if (character === QUOTE) {
        const end = endOfLiteral(events, at + 1)
        const literal = events.slice(at + 1, end)
        at = end
        if (events.charCodeAt(end + 1) === COLON) field = literal
        else if (depth === 0 || this.#counts(field, literal)) found.push(literal)
      } else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++
      else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--
      if (depth <= 0 && character !== SPACE) return at
    }
    return events.length
  }

  #counts(field: string, literal: string): boolean {
    if (!this.#fields.has(field)) return false
    if (!this.#twins.has(field)) return true
    const repeats = literal === this.#twin
    this.#twin = literal
    return !repeats
  }
}

const DELTA = 'delta":'
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function endOfLiteral(events: string, start: number): number {
  for (let end = events.indexOf('"', start); end >= 0; end = events.indexOf('"', end + 1)) {
    let first = end
    while (events.charCodeAt(first - 1) === 0x5c) first--
    if ((end - first) % 2 === 0) return end
  }
  return events.length
}

/** Takes back an escape that was cut in the middle. */
function wholeEscapes(literal: string): string {
  return literal.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
}
