import { DeltaReader, type DeltaShape } from './delta-reader.ts'
import { estimateTokens, MOST_PER_BYTE } from './token-estimate.ts'

/** More than any model writes in one answer: 128,000 tokens are about half of it. */
export const PRODUCED_TEXT_LIMIT_BYTES = 1024 * 1024

/**
 * Raw events that may be unread when their tokens are asked for. Read in bulk, an event costs a fraction of what it costs
 * alone; but as long as they wait, only a guess is known of what they cost. So few may at first, and then twice as many each
 * time.
 */
const FIRST_TAPE_BYTES = 512
const TAPE_BYTES = 8 * 1024
/** Many events in one packet, or one that carries much text: they are read when their tokens are asked for. */
const LARGE_BYTES = 2 * 1024
/** More is never unread. Most answers end with a report before that, and then they need not be read at all. */
const LONGEST_TAPE_BYTES = 32 * 1024

/** Tokens per byte of events, guessed before any was read: five in an event of 120 bytes. */
const FIRST_DENSITY = 1 / 24

export interface TextShape extends DeltaShape {
  /** Found in the events, it tells that the model has finished. */
  readonly finish?: RegExp
  /** Found in the first events, it tells that the model thinks. */
  readonly thinking?: RegExp
}

/** Models think first: what comes later is not searched for it. */
const THINKING_WITHIN_BYTES = 16 * 1024

/**
 * Collects what the model wrote from a stream's events, for answers that end without a report of usage or before their
 * end. Most streams do neither, so the work is put off: events are kept as they are until some have gathered.
 */
export class ProducedText {
  readonly #finish: RegExp | undefined
  readonly #thinking: RegExp | undefined
  #searched = 0
  #hasThought = false
  readonly #deltas: DeltaReader
  readonly #tape = new Tape()
  #tapeLimit = FIRST_TAPE_BYTES
  /** What is on the tape has to be read before its tokens are said. */
  #isDue = false
  /** The insides of JSON string literals, not decoded, as Latin-1; and where each of them was written. */
  readonly #literals: string[] = []
  readonly #places: number[] = []
  #place = 0
  #bytes = 0
  #tokens = 0
  /** The part of `#tokens` that stands in the text that was kept. */
  #keptTokens = 0
  /** Tokens per byte of events, in the last that were read and were more than a few. */
  #density = FIRST_DENSITY
  #finished = false

  constructor(shape: TextShape) {
    this.#finish = shape.finish
    this.#thinking = shape.thinking
    this.#deltas = new DeltaReader(shape)
  }

  /** Takes whole events, as Latin-1. */
  add(events: string): void {
    this.#tape.add(events)
    this.#isDue ||= this.#tape.bytes >= this.#tapeLimit || events.length >= LARGE_BYTES
    if (this.#tape.bytes >= LONGEST_TAPE_BYTES) this.#read()
  }

  /** What comes from here on belongs to another position: a number of the caller's choice, 0 at first. */
  turnTo(place: number): void {
    this.#read()
    this.#place = place
  }

  get bytes(): number {
    this.#read()
    return this.#bytes
  }

  /**
   * Tokens of everything that came, leaning upwards: see `token-estimate.ts`. For the last up to 8 KB of events it is
   * guessed that they are like those before them. Costs a few nanoseconds.
   */
  get estimatedTokens(): number {
    if (this.#isDue) this.#read()
    return Math.ceil(this.#tokens + this.#tape.bytes * this.#density)
  }

  /** False: `estimatedTokens` is less than this, as is seen without reading. True: it may be so many. */
  mayHaveReached(tokens: number): boolean {
    return Math.ceil(this.#tokens + this.#tape.bytes * MOST_PER_BYTE) >= tokens
  }

  /** Whether the model has begun, be it with an empty delta. */
  get begun(): boolean {
    this.#read()
    return this.#deltas.hasRead
  }

  /** Whether any delta held something: text, a call, a picture. */
  get hasContent(): boolean {
    this.#read()
    return this.#bytes > 0 || this.#deltas.hasOtherContent
  }

  /** Whether the model said that it has finished. */
  get finished(): boolean {
    this.#read()
    return this.#finished
  }

  /** Whether the model was seen to think. */
  get hasThought(): boolean {
    this.#read()
    return this.#hasThought
  }

  /** Everything, or what was written at one place; of what came behind PRODUCED_TEXT_LIMIT_BYTES nothing is in it. */
  toString(place?: number): string {
    this.#read()
    const literals = place === undefined ? this.#literals : this.#literals.filter((_, i) => this.#places[i] === place)
    const utf8 = Buffer.from(literals.join(''), 'latin1').toString()
    try {
      return JSON.parse(`"${utf8}"`) as string
    } catch {
      // A literal that JSON does not know is still close enough to count its tokens.
      return utf8
    }
  }

  /**
   * Tokens of everything, from a count of the text: what came behind PRODUCED_TEXT_LIMIT_BYTES is estimated, and the
   * estimate is corrected by how far it was too high for what was counted, to a third at most.
   */
  wholeCount(counted: number): number {
    this.#read()
    const beyond = this.#tokens - this.#keptTokens
    if (this.#bytes <= PRODUCED_TEXT_LIMIT_BYTES || beyond <= 0) return counted
    return counted + Math.round(beyond * Math.min(1, Math.max(1 / 3, counted / this.#keptTokens)))
  }

  #read(): void {
    const raw = this.#tape.bytes
    if (raw === 0) return
    const events = this.#tape.take()
    this.#isDue = false
    this.#finished ||= this.#finish?.test(events) ?? false
    if (this.#searched < THINKING_WITHIN_BYTES) this.#look(events)
    const literals = this.#deltas.read(events)
    const tokens = estimateTokens(literals)
    this.#tokens += tokens
    if (raw >= this.#tapeLimit) this.#tapeLimit = Math.min(this.#tapeLimit * 2, TAPE_BYTES)
    if (raw >= FIRST_TAPE_BYTES) this.#density = tokens / raw
    this.#keep(literals, tokens)
  }

  #look(events: string): void {
    this.#searched += events.length
    this.#hasThought ||= this.#thinking?.test(events) ?? false
  }

  #keep(literals: string, tokens: number): void {
    const room = PRODUCED_TEXT_LIMIT_BYTES - this.#bytes
    this.#bytes += literals.length
    if (room <= 0 || literals === '') return
    this.#keptTokens += (tokens * Math.min(room, literals.length)) / literals.length
    this.#literals.push(literals.length > room ? wholeEscapes(literals.slice(0, room)) : literals)
    this.#places.push(this.#place)
  }
}

/** Takes back an escape that was cut in the middle. */
function wholeEscapes(literal: string): string {
  return literal.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
}

/**
 * The events of one stream that are not read yet, as bytes beside V8's heap. As strings they were all of what a collection of
 * young objects found alive: each was copied twice while its stream ran, in pauses in which no chunk passed (decision 0057).
 */
export class Tape {
  #memory = NOTHING
  #bytes = 0

  /** How many have come since they were taken last. */
  get bytes(): number {
    return this.#bytes
  }

  /** Takes whole events, as Latin-1. */
  add(events: string): void {
    const at = this.#bytes
    this.#bytes += events.length
    if (this.#bytes > this.#memory.length) this.#grow(at)
    this.#memory.write(events, at, 'latin1')
  }

  /** All of them, as Latin-1; they are not kept. */
  take(): string {
    const events = this.#memory.toString('latin1', 0, this.#bytes)
    this.#bytes = 0
    // What one large event needed is not kept for as long as its stream runs.
    if (this.#memory.length > LARGEST_KEPT_BYTES) this.#memory = NOTHING
    return events
  }

  /** Grows by memory of its own, since a slice of Node's shared pool would keep all of that alive. */
  #grow(written: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST_BYTES, this.#bytes, this.#memory.length * 2))
    this.#memory.copy(larger, 0, 0, written)
    this.#memory = larger
  }
}

const NOTHING = Buffer.alloc(0)
const SMALLEST_BYTES = 4 * 1024
const LARGEST_KEPT_BYTES = 64 * 1024
