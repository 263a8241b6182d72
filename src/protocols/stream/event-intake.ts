import { CollectedBytes } from '../../core/collected-bytes.ts'
import { Fault } from '../../core/faults.ts'
import { ANSWER_LIMIT_BYTES, LARGE_EVENT_BYTES } from '../../core/limits.ts'
import { DataLines, hasEventsInLines, LOOKED_AT_BYTES } from './data-lines.ts'
import { EventBuffer } from './event-buffer.ts'
import { type EventStyle, inStyle, lacksStyle } from './event-style.ts'
import { type EventHolder, LARGE_EVENTS, noRoom } from './large-events.ts'
import { endOfEvent, readServerEvent } from '../reading/server-event.ts'
import { StreamOpening } from './stream-opening.ts'

/** What a wire's answers may look like where a stream was asked for. */
export interface IntakeOptions {
  readonly style?: EventStyle
  /** Set where the answer may come whole all the same. */
  readonly whole?: WholeInStream
}

/** A whole answer in the place of a stream. */
export interface WholeInStream {
  /** Whether an event, as Latin-1, has a whole answer in it, as gateways send that do not stream. */
  isWholeEvent(event: string): boolean
  /** The whole answer as events, up to the last one; null where these bytes are not an answer. */
  eventsOf(body: Buffer): Buffer | null
}

/**
 * Where the bytes of a stream come in: cuts them into whole events in the form that the wire's clients read. What is in that
 * form already, as nearly all streams are, passes as it is once its first event has shown that.
 */
export class EventIntake implements EventHolder {
  readonly #options: IntakeOptions
  readonly #buffer = new EventBuffer()
  /** Null once the stream has begun as streams do. */
  #opening: StreamOpening | null = new StreamOpening()
  #isFirstSeen: boolean
  #style: EventStyle | null = null
  /** The body of an answer that is JSON. */
  #body: CollectedBytes | null = null
  #bodyBytes = 0
  /** A whole answer was in an event: what follows says nothing. */
  #isOver = false
  #isPlain = false
  /** Set where each line of data is an event. */
  #lines: DataLines | null = null

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#isFirstSeen = options.style === undefined && options.whole === undefined
  }

  /** The answer comes whole. Its bytes are kept for `takeBody`. */
  get isWhole(): boolean {
    return this.#body !== null
  }

  /** The size of an answer that is JSON; events wait in a holder of their own. */
  get size(): number {
    return this.#bodyBytes
  }

  /** The events that are whole now, null when there are none. See `EventBuffer`. */
  take(chunk: Buffer): Buffer | null {
    if (!this.#isPlain) return this.#takeSlowly(chunk)
    const events = this.#buffer.take(chunk)
    // Names may be left out later on, as where a gateway between names its own pings alone.
    return events?.[0] === LETTER_D && this.#options.style?.kind === 'named' ? this.#named(events) : events
  }

  /** What waits for its end, as it came, and nothing waits any more. */
  takeRest(): Buffer {
    return this.#buffer.takeRest()
  }

  /** The last event of a stream that is over, which may lack its blank line; empty where there is none. */
  takeLast(): Buffer {
    const rest = this.#buffer.takeRest()
    if (rest.length === 0) return rest
    const last = this.#isPlain ? rest : this.#formed(rest)
    // Google's SDKs take an event without it for one that was cut.
    return this.#options.style?.kind === 'bare' ? Buffer.concat([last, BLANK_LINE]) : last
  }

  /** The whole answer, once it has come. Events are taken from here on. */
  takeBody(): Buffer {
    const body = this.#body?.whole() ?? NOTHING
    this.#dropBody()
    // Comments and white space before it belong to no event.
    this.#buffer.takeRest()
    this.#opening = null
    return body
  }

  #takeSlowly(chunk: Buffer): Buffer | null {
    if (this.#isOver) return null
    const bytes = this.#opening?.take(chunk) ?? chunk
    if (this.#opening?.form === 'json' && this.#options.whole !== undefined) return this.#collect(bytes)
    if (this.#opening?.isOver === true) this.#opening = null
    if (bytes.length === 0) return null
    const events = this.#eventsIn(bytes)
    if (events === null) return null
    const formed = this.#formed(events)
    this.#isPlain =
      this.#isFirstSeen && this.#opening === null && this.#style === null && this.#lines === null && !this.#isOver
    return formed.length === 0 ? null : formed
  }

  #eventsIn(bytes: Buffer): Buffer | null {
    if (this.#lines !== null) return this.#buffer.take(this.#lines.take(bytes))
    const events = this.#buffer.take(bytes)
    if (this.#isFirstSeen || !this.#areInLines(events)) return events
    this.#lines = new DataLines()
    const all = Buffer.concat([events ?? NOTHING, this.#buffer.takeRest()])
    return this.#buffer.take(this.#lines.take(all))
  }

  /** Whether events come in lines: only the beginning of what waits is looked at, and not again with each byte. */
  #areInLines(events: Buffer | null): boolean {
    if (events !== null) return hasEventsInLines(events)
    const { waiting } = this.#buffer
    return waiting.length <= LOOKED_AT_BYTES && hasEventsInLines(waiting)
  }

  #collect(bytes: Buffer): null {
    this.#body ??= new CollectedBytes()
    this.#bodyBytes += bytes.length
    if (!this.#body.add(bytes, ANSWER_LIMIT_BYTES)) {
      this.#dropBody()
      throw new Fault('upstream_malformed', 'The model’s answer is larger than this gateway supports.')
    }
    if (this.#bodyBytes >= LARGE_EVENT_BYTES && !LARGE_EVENTS.mayGrow(this, this.#bodyBytes)) {
      this.#dropBody()
      throw noRoom()
    }
    return null
  }

  #dropBody(): void {
    this.#body = null
    this.#bodyBytes = 0
  }

  /** The events as clients read them. */
  #formed(events: Buffer): Buffer {
    if (this.#isFirstSeen) return this.#style === null ? events : inStyle(events, this.#style)
    const { style, whole } = this.#options
    const first = firstWithData(events)
    if (first === null || first.start > 0) this.#leaveOutComments(style)
    if (first === null) return this.#style === null ? events : inStyle(events, this.#style)
    this.#isFirstSeen = true
    const event = events.subarray(first.start, first.end)
    const isWhole = whole?.isWholeEvent(event.toString('latin1')) === true
    const converted = isWhole ? (whole?.eventsOf(readServerEvent(event).data) ?? null) : null
    if (converted !== null) {
      this.#isOver = true
      return Buffer.concat([events.subarray(0, first.start), converted])
    }
    if (style !== undefined && lacksStyle(events.subarray(first.start), style)) this.#style = style
    return this.#style === null ? events : inStyle(events, this.#style)
  }

  #named(events: Buffer): Buffer {
    this.#isFirstSeen = false
    const formed = this.#formed(events)
    this.#isPlain = this.#style === null && !this.#isOver
    return formed
  }

  /** Clients that read nothing but data are given nothing else, from the first comment on. */
  #leaveOutComments(style: EventStyle | undefined): void {
    if (style?.kind === 'bare') this.#style = style
  }
}

const NOTHING = Buffer.alloc(0)
const BLANK_LINE = Buffer.from('\n\n')
const LETTER_D = 0x64

/** Where the first event with data stands; null where there is none. */
function firstWithData(events: Buffer): { readonly start: number; readonly end: number } | null {
  const text = events.toString('latin1')
  const data = /^data/m.exec(text)
  if (data === null) return null
  let start = 0
  let end = endOfEvent(text, start)
  while (end <= data.index && end < text.length) {
    start = end
    end = endOfEvent(text, start)
  }
  return { start, end }
}
