import { parseExactly } from '../json/exact-reader.ts'
import { fieldsOf, type JsonObject, parseOrUndefined } from '../json/json-object.ts'
import type { FreeFields } from '../json/json-survey.ts'

/** One server-sent event, read as far as the gateway needs it. */
export interface ServerEvent {
  /** The value of its `event:` line. */
  readonly name: string | null
  /** The `data:` lines, joined by line feeds; empty when it has none (comments, blank lines). Or a bare error. */
  readonly data: Buffer
}

/**
 * Reads the event whose lines are `bytes`. Lines end in LF or CR LF; a lone CR ends a line in the standard and is not
 * seen from any upstream, so it is not looked for. An error may stand there as bare JSON, without `data:`: so Gemini
 * ends a stream, and Google's SDKs look for it.
 */
export function readServerEvent(bytes: Buffer): ServerEvent {
  let name: string | null = null
  let first: Buffer | null = null
  let lines: Buffer[] | null = null
  for (let start = 0; start < bytes.length;) {
    const feed = bytes[start] === LINE_FEED ? start : bytes.indexOf(LINE_FEED, start)
    const next = feed < 0 ? bytes.length : feed
    const end = bytes[next - 1] === RETURN ? next - 1 : next
    if (startsWith(bytes, start, DATA)) {
      const value = bytes.subarray(valueFrom(bytes, start + DATA.length), end)
      if (first === null) first = value
      else (lines ??= [first]).push(value)
    } else if (startsWith(bytes, start, EVENT)) {
      name = bytes.toString('utf8', valueFrom(bytes, start + EVENT.length), end)
    }
    start = next + 1
  }
  if (first === null && BARE_ERROR.test(bytes.toString('latin1', 0, 64))) return { name, data: bytes }
  return { name, data: lines === null ? (first ?? NOTHING) : joinLines(lines) }
}

/** The data as JSON; undefined when it is none. */
export function jsonOf(event: ServerEvent): unknown {
  return parseOrUndefined(event.data.toString())
}

/** The fields of the last data in events, as Latin-1; none where there are no data. */
export function lastFieldsIn(events: string): JsonObject {
  const start = events.lastIndexOf('data:')
  const end = events.indexOf('\n', start)
  const line = start < 0 ? '' : events.slice(start + 5, end < 0 ? events.length : end)
  return fieldsOf(parseOrUndefined(Buffer.from(line, 'latin1').toString()))
}

/** The JSON of an event, with what JavaScript cannot hold of the values below these fields. Takes longer: for events that have such. */
export function exactJsonOf(event: ServerEvent, free: FreeFields): unknown {
  try {
    return parseExactly(event.data, free)
  } catch {
    return undefined
  }
}

/**
 * The offset behind the event that begins at `from`: behind its blank line, or the end of the text.
 * `text` is the bytes as Latin-1, so that offsets in it are byte offsets.
 */
export function endOfEvent(text: string, from: number): number {
  BLANK_LINE.lastIndex = from
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : text.length
}

/** An event of this type, which is its name and stands in its data as well. */
export function namedEvent(type: string, fields: object = {}): string {
  return `event: ${type}\n${dataEvent({ type, ...fields })}`
}

/** An event that is nothing but its data. */
export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

const NOTHING = Buffer.alloc(0)
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const DATA = Buffer.from('data:')
const EVENT = Buffer.from('event:')
const BLANK_LINE = /\n\r?\n/g
const BARE_ERROR = /^\[?\s*\{\s*"error"\s*:/

/** Byte by byte: to make strings or views of so few bytes takes several times as long. */
function startsWith(bytes: Buffer, at: number, field: Buffer): boolean {
  for (let i = 0; i < field.length; i++) if (bytes[at + i] !== field[i]) return false
  return true
}

/** Where the value behind a colon begins: one space before it does not belong to it. */
function valueFrom(bytes: Buffer, at: number): number {
  return bytes[at] === SPACE ? at + 1 : at
}

function joinLines(lines: Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])))
}
