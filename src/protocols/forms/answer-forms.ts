import { Fault } from '../../core/faults.ts'
import type { Answer, AnswerAbout, StreamOptions, StreamReader } from '../protocol.ts'
import { DataLines, hasEventsInLines } from '../stream/data-lines.ts'
import type { WholeInStream } from '../stream/event-intake.ts'
import { endOfEvent, readServerEvent, type ServerEvent } from '../reading/server-event.ts'
import { StreamOpening } from '../stream/stream-opening.ts'
import { eventOf, rawValues } from './raw-json.ts'

/** How one wire says the same answer whole and as a stream. What is in it stays as it was written, known or not. */
export interface AnswerForms {
  /** Whether an event, as Latin-1, has a whole answer in it. */
  isWholeEvent(event: string): boolean
  /** A whole answer as a stream, with its end. */
  toEvents(body: Buffer): Buffer
  /** The events of a stream that came to its end, as a whole answer; null where they make none. */
  toWhole(events: readonly ServerEvent[]): Buffer | null
}

type ReadAnswer = (body: Buffer, about?: AnswerAbout) => Answer

/** What a stream's reader needs to take a whole answer in the place of a stream. `read` reads a whole answer. */
export function wholeInStream(forms: AnswerForms, read: ReadAnswer): WholeInStream {
  return {
    isWholeEvent: (event) => forms.isWholeEvent(event),
    eventsOf: (body) => eventsOf(body, forms, read),
  }
}

/** Reads an answer that should be whole, and may have come as events. `open` opens the wire's streams. */
export function readingEitherForm(
  read: ReadAnswer,
  { forms, open }: { forms: AnswerForms; open: (options: StreamOptions) => StreamReader },
): ReadAnswer {
  return (body, about = {}) => {
    const opening = new StreamOpening()
    const bytes = opening.take(body)
    if (opening.form !== 'json') return looksLikeEvents(bytes) ? readEvents(bytes, about) : read(body, about)
    const answer = read(bytes, about)
    if (answer.kind === 'malformed') return readValues(bytes, about) ?? answer
    return isWhite(body, body.length - bytes.length) ? answer : withBytes(answer, bytes)
  }

  function readEvents(sent: Buffer, about: AnswerAbout): Answer {
    const bytes = hasEventsInLines(sent) ? new DataLines().take(sent) : sent
    const reader = open({ ...about, dropUsageChunk: false })
    try {
      reader.push(bytes)
    } catch (error) {
      if (error instanceof Fault) return { kind: 'malformed', why: error.message }
      throw error
    }
    const end = reader.finish()
    const { usage, terms, storedAs } = reader
    if (end.kind === 'failed')
      return { kind: 'failed', usage, error: end.error, producedText: () => reader.producedText() }
    const whole = end.kind === 'complete' ? orNull(() => forms.toWhole(eventsIn(bytes))) : null
    const answer = whole === null ? null : read(whole, about)
    if (answer?.kind === 'failed') return answer
    if (whole === null || answer?.kind !== 'answer') return { kind: 'malformed', why: 'its events make no answer' }
    const more = { ...(terms === undefined ? {} : { terms }), ...(storedAs === undefined ? {} : { storedAs }) }
    return { ...answer, ...more, usage, rewritten: whole }
  }

  /** JSON that is not one answer: one with the end of a stream behind it, or the data of events in a list or in lines. */
  function readValues(bytes: Buffer, about: AnswerAbout): Answer | null {
    const found = rawValues(bytes)
    const [first] = found?.values ?? []
    if (found === null || first === undefined) return null
    if (found.isList || found.values.length > 1) return readEvents(dataEvents(found.values), about)
    return first.length === bytes.length ? null : withBytes(read(first, about), first)
  }
}

function withBytes(answer: Answer, bytes: Buffer): Answer {
  return answer.kind === 'answer' ? { ...answer, rewritten: bytes } : answer
}

/** Null where the bytes are not an answer. */
function eventsOf(body: Buffer, forms: AnswerForms, read: ReadAnswer): Buffer | null {
  const found = rawValues(body)
  const [first] = found?.values ?? []
  if (found === null || first === undefined) return null
  if (found.isList || found.values.length > 1) return dataEvents(found.values)
  const answer = read(first)
  if (answer.kind === 'malformed') return null
  return answer.kind === 'failed' ? eventOf(first, 'error') : orNull(() => forms.toEvents(first))
}

/** An upstream decides how deep its JSON goes: where that is too deep to be written anew, there is nothing. */
function orNull(write: () => Buffer | null): Buffer | null {
  try {
    return write()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function dataEvents(values: readonly Buffer[]): Buffer {
  return Buffer.concat(values.map((value) => eventOf(value)))
}

/** A field of an event, or a comment. */
function looksLikeEvents(bytes: Buffer): boolean {
  return /^\s*(?:data|event|id|retry|):/.test(bytes.toString('latin1', 0, FIRST_BYTES))
}

const FIRST_BYTES = 1_024

function isWhite(bytes: Buffer, end: number): boolean {
  return bytes.toString('latin1', 0, end).trim() === ''
}

/** The events with data. */
function eventsIn(bytes: Buffer): readonly ServerEvent[] {
  const text = bytes.toString('latin1')
  const events: ServerEvent[] = []
  for (let start = 0; start < text.length;) {
    const end = endOfEvent(text, start)
    const event = readServerEvent(bytes.subarray(start, end))
    if (event.data.length > 0) events.push(event)
    start = end
  }
  return events
}
