import type { TextFields } from '../reading/answer.ts'
import { isContent } from '../reading/answer-failure.ts'

/** Where the text of one wire's deltas stands. */
export interface DeltaShape extends TextFields {
  /** The field whose value is a delta; `delta` unless said otherwise. */
  readonly delta?: string
  /** Fields of a delta whose object was written by the model, names and all. */
  readonly objects?: readonly string[]
}

/**
 * Finds the model's text in the raw events of a stream, without parsing them: in the value of `delta`, which is a string
 * or has it in its fields.
 */
export class DeltaReader {
  /** Searched without its opening quote: so many quotes in JSON make the search three times slower. */
  readonly #mark: string
  readonly #fields: ReadonlySet<string>
  readonly #objects: ReadonlySet<string>
  readonly #twins: ReadonlySet<string>
  /** The twin field of the delta at hand that spoke last, and what it said. */
  #twinField = ''
  #twin: string | null = null
  /** Whether any delta came, be it empty. */
  hasRead = false
  /** Whether a delta held anything but text that was written by the model: a picture, sound, a signature. */
  hasOtherContent = false

  constructor(shape: DeltaShape) {
    this.#mark = `${shape.delta ?? 'delta'}":`
    this.#fields = new Set(shape.fields)
    this.#objects = new Set(shape.objects)
    this.#twins = new Set(shape.twins)
  }

  /** The insides of the JSON strings of all deltas in the events, not decoded, one behind the other. Latin-1, as given. */
  read(events: string): string {
    const found: string[] = []
    let count = 0
    const mark = this.#mark
    for (let at = events.indexOf(mark); at >= 0; at = events.indexOf(mark, at)) {
      at = this.#readDelta(events, at + mark.length, found)
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
        else if (!this.hasOtherContent && end > at + 1) this.hasOtherContent = isContent(field)
        at = end
      } else if (character === OPEN_BRACE && this.#objects.has(field)) {
        const end = endOfObject(events, at)
        found.push(events.slice(at, end).replace(/["\\]/g, '\\$&'))
        field = ''
        at = end - 1
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

/** The offset behind the object that begins at `start`, or the end of the events. */
function endOfObject(events: string, start: number): number {
  let depth = 0
  for (let at = start; at < events.length; at++) {
    const character = events.charCodeAt(at)
    if (character === QUOTE) at = endOfLiteral(events, at + 1)
    else if (character === OPEN_BRACE) depth++
    else if (character === CLOSE_BRACE && --depth === 0) return at + 1
  }
  return events.length
}
