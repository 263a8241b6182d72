import type { Fault } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { EarlyEnd, StoredAnswer, StreamEnd, StreamReader, UpstreamError } from '../protocol.ts'
import { NOTHING_CAME } from '../reading/answer-failure.ts'
import { EventIntake, type IntakeOptions } from './event-intake.ts'
import { ProducedText, type TextShape } from './produced-text.ts'
import { endOfEvent, jsonOf, readServerEvent, type ServerEvent } from '../reading/server-event.ts'

/** What one wire's streams look like from outside. */
export interface StreamShape extends IntakeOptions {
  /**
   * Matches in every event that the judge has to see, in bytes read as Latin-1; it may match in others. It runs over
   * every byte, so it is written for speed: `error` takes half the time of `"error"`. Global, and within one line.
   */
  readonly marker: RegExp
  /** The second look at an event with a marker, which the judge then parses. Not global. */
  readonly sign: RegExp
  readonly text: TextShape
  /** Found in the last events, it tells that the model has finished, or a part of its answer has. Not global. */
  readonly stopping?: RegExp
  /** Near the beginning of an event with a sign, it shows a call of a tool that the upstream runs by itself. Not global. */
  readonly calling?: RegExp
}

/** What becomes of an event that was looked into. */
export type EventAction = { readonly kind: 'pass' } | { readonly kind: 'drop' } | StreamClosing

/** `hasText`: on wires without an event for the end, where the last one holds what the model wrote last. */
type StreamClosing =
  | { readonly kind: 'end'; readonly hasText?: true }
  | { readonly kind: 'failed'; readonly error: UpstreamError }

export const PASS: EventAction = { kind: 'pass' }

export function failed(error: UpstreamError): EventAction {
  return { kind: 'failed', error }
}

/** One wire's understanding of one stream. It sees the events that its marker finds, in order. */
export interface EventPolicy {
  /** `text` is what was written in the events before this one. */
  judge(event: ServerEvent, text: ProducedText): EventAction
  /** True: it has to see every event from here on, since several answers are mixed. May change with each event. */
  readonly seesAll?: boolean
  /** See StreamReader; absent on wires whose last event says all of it. */
  isFinished?(text: ProducedText): boolean
  /** A reason to stop was read, so that the stream may end with its connection. Absent: only its own last event is an end. */
  readonly hasStopped?: boolean
  /** Whether a stream that came to its end had nothing for a client: no word, and no count above zero. Absent: never. */
  isNothing?(text: ProducedText): boolean
  readonly usage: TokenCounts
  readonly usageIsFinal: boolean
  /** See StreamReader. */
  readonly terms?: ServiceTerms | undefined
  /** See StreamReader. */
  readonly storedAs?: StoredAnswer | null
  /** The text of an answer whose deltas never came, from its terminal event. */
  readonly textOfEnd?: string
  /** See StreamReader; `last` is the last events that went to the client, as Latin-1. */
  keepAlive(last: string): Buffer
  writeFault(fault: Fault, requestId: string, last: string): Buffer
  finishEarly(end: EarlyEnd, so: SoFar): Buffer
}

/** What went to the client until now: the last events as Latin-1, and everything that the model wrote. */
export interface SoFar {
  readonly last: string
  readonly text: ProducedText
}

/** Enough for what upstreams send behind their end (a cost, a `[DONE]` on another wire); the rest is dropped. */
const BEHIND_END_LIMIT_BYTES = 64 * 1024

/** Comments from before the first event are kept up to this; what is beyond is dropped. */
const LEADING_LIMIT_BYTES = 16 * 1024
/** Only with such a line is it an event, for any client. */
const DATA_LINE = /^data/m

/** Marker and sign for a judge that sees all. */
const EVERY_EVENT = /data:|error/g
const ANY_EVENT = /data:|"error"|event: ?error/

const NOTHING = Buffer.alloc(0)
const BLANK_LINE = Buffer.from('\n\n')
/** The type of an item or block stands within so many bytes: it begins with nothing but ids. */
const CALLING_BYTES = 1_024
const COLON = 0x3a

/**
 * Reads a stream of server-sent events on its way through. A chunk of whole events without a marker costs two native
 * calls and passes as it is; only events with a marker are taken apart.
 */
export class EventStream implements StreamReader {
  readonly #shape: StreamShape
  /** The shape's, or those of a judge that sees all. */
  #marker: RegExp
  #sign: RegExp
  readonly #judge: EventPolicy
  readonly #text: ProducedText
  readonly #intake: EventIntake
  /** What came before the first event, to go on with it; null from then on. */
  #leading: Buffer | null = NOTHING
  /** The last events that were more than comments. */
  #last = ''
  /** Whole events, from the terminal event on. */
  #held: Buffer[] = []
  #roomBehindEnd = 0
  #end: 'complete' | UpstreamError | null = null
  /** The output of the judge's `usage`, sound included, and its `usageIsFinal`, which are asked for with every chunk. */
  #reportedOutput = 0
  #reportIsFinal = false
  #hasCalledTools = false

  constructor(shape: StreamShape, judge: EventPolicy) {
    this.#shape = shape
    this.#intake = new EventIntake(shape)
    this.#marker = shape.marker
    this.#sign = shape.sign
    this.#judge = judge
    this.#text = new ProducedText(shape.text)
    this.#look()
  }

  /** Chooses what to look for. Fields and no question with each chunk, as the choice changes with rare events only. */
  #look(): void {
    const seesAll = this.#judge.seesAll === true
    this.#marker = seesAll ? EVERY_EVENT : this.#shape.marker
    this.#sign = seesAll ? ANY_EVENT : this.#shape.sign
  }

  get ended(): boolean {
    return this.#end !== null
  }

  get hasFailed(): boolean {
    return this.#end !== null && this.#end !== 'complete'
  }

  get hasBegun(): boolean {
    return this.#leading === null
  }

  get isWhole(): boolean {
    return this.#intake.isWhole
  }

  get usage(): TokenCounts {
    return this.#judge.usage
  }

  get terms(): ServiceTerms | undefined {
    return this.#judge.terms
  }

  get storedAs(): StoredAnswer | null {
    return this.#judge.storedAs ?? null
  }

  get usageIsFinal(): boolean {
    return this.#judge.usageIsFinal
  }

  get isStopping(): boolean {
    return this.#text.finished || this.#shape.stopping?.test(this.#last) === true
  }

  get isFinished(): boolean {
    return this.#judge.isFinished?.(this.#text) ?? false
  }

  get hasThought(): boolean {
    return (this.usage.reasoning ?? 0) > 0 || this.#text.hasThought
  }

  get hasCalledTools(): boolean | null {
    return this.#shape.calling === undefined ? null : this.#hasCalledTools
  }

  get producedBytes(): number {
    return this.#text.bytes || Buffer.byteLength(this.#judge.textOfEnd ?? '')
  }

  producedText(): string {
    return this.#text.toString() || (this.#judge.textOfEnd ?? '')
  }

  wholeCount(counted: number): number {
    return this.#text.wholeCount(counted)
  }

  get estimatedOutputTokens(): number {
    return this.#reportIsFinal ? this.#reportedOutput : Math.max(this.#reportedOutput, this.#text.estimatedTokens)
  }

  mayHaveReached(tokens: number): boolean {
    return this.#reportedOutput >= tokens || (!this.#reportIsFinal && this.#text.mayHaveReached(tokens))
  }

  keepAlive(): Buffer | null {
    return this.ended ? null : this.#judge.keepAlive(this.#last)
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return this.#judge.writeFault(fault, requestId, this.#last)
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#end !== null) {
      this.#takeBehindEnd(chunk)
      return null
    }
    const events = this.#intake.take(chunk)
    if (events === null) return null
    const text = events.toString('latin1')
    return this.#leading === null ? this.#take(events, text) : this.#begin(this.#leading, { events, text })
  }

  finish(): StreamEnd {
    if (this.#intake.isWhole) return this.#finishWhole(this.#intake.takeBody())
    const rest = this.#end === null ? this.#finishLastEvent() : NOTHING
    if (this.#end === 'complete') return { kind: 'complete', held: Buffer.concat(this.#held) }
    if (this.#end !== null) return { kind: 'failed', held: Buffer.concat(this.#held), error: this.#end }
    if (this.#judge.hasStopped !== true) return { kind: 'cut', held: NOTHING }
    if (this.#judge.isNothing?.(this.#text) !== true) return { kind: 'complete', held: rest }
    this.#end = NOTHING_CAME
    return { kind: 'failed', held: NOTHING, error: NOTHING_CAME }
  }

  /** The answer came whole where a stream was asked for: it is written as one, and all of it is held. */
  #finishWhole(body: Buffer): StreamEnd {
    const events = this.#shape.whole?.eventsOf(body) ?? null
    if (events === null) return { kind: 'cut', held: NOTHING }
    const passed = this.push(events)
    const end = this.finish()
    if (end.kind === 'failed') return end
    if (end.kind === 'cut' && this.#judge.isNothing?.(this.#text) === true) {
      this.#end = NOTHING_CAME
      return { kind: 'failed', held: NOTHING, error: NOTHING_CAME }
    }
    // A whole answer may leave out why it ended.
    return { kind: 'complete', held: passed === null ? end.held : Buffer.concat([passed, end.held]) }
  }

  finishEarly(end: EarlyEnd): Buffer {
    invariant(this.#end === null, 'a stream ends once')
    const bytes = this.#judge.finishEarly(end, { last: this.#last, text: this.#text })
    this.#end = 'complete'
    this.#intake.takeRest()
    return bytes
  }

  /** An upstream may send comments for as long as a request waits there: they are not an answer, and decide nothing. */
  #begin(leading: Buffer, { events, text }: { events: Buffer; text: string }): Buffer | null {
    if (!DATA_LINE.test(text)) {
      if (leading.length + events.length <= LEADING_LIMIT_BYTES) this.#leading = Buffer.concat([leading, events])
      return null
    }
    this.#leading = null
    const passed = this.#take(events, text)
    return passed === null || leading.length === 0 ? passed : Buffer.concat([leading, passed])
  }

  #take(events: Buffer, text: string): Buffer | null {
    this.#marker.lastIndex = 0
    if (this.#marker.test(text)) return this.#examine(events, text)
    this.#pass(text)
    this.#text.add(text)
    return events
  }

  /** Judges the events in which the marker was found; its `lastIndex` stands behind the first find. */
  #examine(events: Buffer, text: string): Buffer | null {
    const pieces: Buffer[] = []
    let passed = 0
    let read = 0
    let start = 0
    do {
      const found = this.#marker.lastIndex
      let end = endOfEvent(text, start)
      while (end < found) {
        start = end
        end = endOfEvent(text, start)
      }
      start = behindLineEnds(text, start)
      if (this.#sign.test(text.slice(start, end))) {
        this.#read(text.slice(read, start))
        read = start
        const verdict = this.#judgeEvent(events.subarray(start, end))
        if (verdict.kind !== 'pass') {
          this.#passPiece(pieces, events.subarray(passed, start))
          passed = end
          read = end
        }
        if (verdict.kind === 'end' || verdict.kind === 'failed') {
          this.#readEnd(verdict, text.slice(start, end))
          this.#close(verdict, events.subarray(start, end))
          const rest = this.#intake.takeRest()
          this.#takeBehindEnd(events.subarray(end))
          this.#takeBehindEnd(rest)
          return joined(pieces)
        }
      }
      start = end
      this.#marker.lastIndex = end
    } while (this.#marker.test(text))
    this.#read(text.slice(read))
    if (passed === 0) {
      this.#pass(text)
      return events
    }
    this.#passPiece(pieces, events.subarray(passed))
    return joined(pieces)
  }

  #judgeEvent(bytes: Buffer): EventAction {
    const { calling } = this.#shape
    if (calling !== undefined && !this.#hasCalledTools) {
      this.#hasCalledTools = calling.test(bytes.toString('latin1', 0, CALLING_BYTES))
    }
    const verdict = this.#judge.judge(readServerEvent(bytes), this.#text)
    const { output, other } = this.#judge.usage
    this.#reportedOutput = (output ?? 0) + (other?.audioOutput ?? 0)
    this.#reportIsFinal = this.#judge.usageIsFinal
    this.#look()
    return verdict
  }

  #passPiece(pieces: Buffer[], piece: Buffer): void {
    if (piece.length === 0) return
    this.#pass(piece.toString('latin1'))
    pieces.push(piece)
  }

  #pass(text: string): void {
    if (text.charCodeAt(0) !== COLON || text.includes('\ndata:')) this.#last = text
  }

  #read(text: string): void {
    if (text !== '') this.#text.add(text)
  }

  #readEnd(verdict: StreamClosing, event: string): void {
    if (verdict.kind === 'end' && verdict.hasText === true) this.#text.add(event)
  }

  /** `event` ended the stream. What follows an error belongs to no answer and is dropped. */
  #close(verdict: StreamClosing, event: Buffer): void {
    const isNothing = verdict.kind === 'end' && this.#judge.isNothing?.(this.#text) === true
    const error = verdict.kind === 'failed' ? verdict.error : isNothing ? NOTHING_CAME : null
    this.#roomBehindEnd = error === null ? BEHIND_END_LIMIT_BYTES : 0
    this.#end = error ?? 'complete'
    if (!isNothing) this.#held.push(event)
  }

  /** Holds the events that are whole with these bytes: half of one would break the client's parser. */
  #takeBehindEnd(bytes: Buffer): void {
    if (bytes.length === 0 || this.#roomBehindEnd === 0) return
    this.#roomBehindEnd = Math.max(0, this.#roomBehindEnd - bytes.length)
    const events = this.#roomBehindEnd === 0 ? null : this.#intake.take(bytes)
    if (events !== null) this.#held.push(events)
  }

  /**
   * The stream is over and its last event may lack its blank line. When it is whole otherwise it counts, and is returned
   * if it may still go to the client; half an event is dropped.
   */
  #finishLastEvent(): Buffer {
    const rest = this.#intake.takeLast()
    const verdict = this.#judgeEvent(rest)
    if (verdict.kind === 'end' || verdict.kind === 'failed') {
      // The client would wait for the blank line before it reads the error, and the connection is destroyed.
      const lacksEnd = verdict.kind === 'failed' && !rest.subarray(-BLANK_LINE.length).equals(BLANK_LINE)
      const bytes = lacksEnd ? Buffer.concat([rest, BLANK_LINE]) : rest
      this.#readEnd(verdict, rest.toString('latin1'))
      this.#close(verdict, bytes)
      return NOTHING
    }
    if (verdict.kind === 'drop' || jsonOf(readServerEvent(rest)) === undefined) return NOTHING
    this.#text.add(rest.toString('latin1'))
    return rest
  }
}

function behindLineEnds(text: string, from: number): number {
  let start = from
  while (text[start] === '\n' || text[start] === '\r') start++
  return start
}

function joined(pieces: Buffer[]): Buffer | null {
  return pieces.length > 1 ? Buffer.concat(pieces) : (pieces[0] ?? null)
}
