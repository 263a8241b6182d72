import type { TextFields } from '../reading/answer.ts'

/**
 * Finds the model's text in the raw events of a stream, without parsing them: in the value of `delta`, which is a string
 * or has it in its fields.
 */
export class DeltaReader {
  readonly #fields: ReadonlySet<string>
  readonly #twins: ReadonlySet<string>
  /** The twin field of the delta at hand that spoke last, and what it said. */
  #twinField = ''
  #twin: string | null = null
  /** Whether any delta came, be it empty. */
  hasRead = false

  constructor(shape: TextFields) {
    this.#fields = new Set(shape.fields)
    this.#twins = new Set(shape.twins)
  }

  /** The insides of the JSON strings of all deltas in the events, not decoded, one behind the other. Latin-1, as given. */
  read(events: string): string {
    const found: string[] = []
    let count = 0
    // Searched without its opening quote: so many quotes in JSON make the search three times slower.
    for (let at = events.indexOf(DELTA); at >= 0; at = events.indexOf(DELTA, at)) {
      at = this.#readDelta(events, at + DELTA.length, found)
      count += 1
    }
    this.hasRead ||= count > 0
    // Joined, since each slice would keep all of the events in memory.
    return found.join('')
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
        const isField = events.charCodeAt(end + 1) === COLON
        if (isField) field = events.slice(at + 1, end)
        else if (depth === 0 || this.#fields.has(field)) this.#find(events.slice(at + 1, end), field, found)
        at = end
      } else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth++
      else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--
      if (depth <= 0 && character !== SPACE) return at
    }
    return events.length
  }

  #find(literal: string, field: string, found: string[]): void {
    if (this.#twins.has(field)) {
      if (literal === this.#twin && field !== this.#twinField) return
      this.#twinField = field
      this.#twin = literal
    }
    found.push(literal)
  }
}

const DELTA = 'delta":'
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function endOfLiteral(events: string, start: number): number {
  for (let end = events.indexOf('"', start); end >= 0; end = events.indexOf('"', end + 1)) {
    let first = end
    while (events.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return events.length
}
