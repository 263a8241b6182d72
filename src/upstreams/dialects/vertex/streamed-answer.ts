import { parseOrUndefined } from '../../../protocols/json/json-object.ts'
import type { RequestPurpose, UpstreamHandler } from '../../upstream-client.ts'
import { WholeEvents } from '../whole-events.ts'
import { type ErrorWriter, googleErrorOf } from './google-errors.ts'

/** How the events of one wire go on. */
interface EventRules {
  /** The beginning of events that are left out; null: all go on. */
  readonly unwanted: RegExp | null
  /** An error as an event. */
  error(json: string): string
  readonly write: ErrorWriter
}

/**
 * Claude's streams without the events that Vertex AI adds for its own books, which clients refuse (`vertex_event`: vercel/ai
 * issue 11309, opencode issue 13914).
 */
export const CLAUDE_EVENTS: Omit<EventRules, 'write'> = {
  // By its name or, where it has none, by the type in its data.
  unwanted: /^event: ?vertex_event\r?\n|^data: ?\{\s*"type"\s*:\s*"vertex_event"/,
  error: (json) => `event: error\ndata: ${json}\n\n`,
}

export const OPENAI_EVENTS: Omit<EventRules, 'write'> = { unwanted: null, error: (json) => `data: ${json}\n\n` }

/**
 * A stream as the wire's own provider has it, with an error of Google's in the form of the wire. Events go on when they are
 * whole; all other answers pass as they are.
 */
export function streamedAnswer(
  form: RequestPurpose['form'],
  handler: UpstreamHandler,
  rules: EventRules,
): UpstreamHandler {
  if (form !== 'stream') return handler
  let isStream = false
  const events = new WholeEvents()
  const pass = (text: Buffer): void => {
    if (text.length > 0) handler.onData(text)
  }
  return {
    onConnected: () => handler.onConnected?.(),
    onHead: (status, headers) => {
      isStream = status < 300 && /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
      handler.onHead(status, headers)
    },
    onData: (chunk) => {
      if (!isStream) return handler.onData(chunk)
      pass(asWireHas(events.add(chunk), rules))
      // Nothing of its own is so long: what the gateway makes of it is for its reader to say.
      if (events.size > HELD_BYTES_LIMIT) pass(events.takeRest())
    },
    onEnd: () => {
      pass(asWireHas(events.takeRest(), rules))
      handler.onEnd()
    },
    onFailure: (fault) => {
      pass(events.takeRest())
      handler.onFailure(fault)
    },
  }
}

const HELD_BYTES_LIMIT = 1024 * 1024

/** Whole events as the wire has them; nearly all are the same bytes. */
function asWireHas(bytes: Buffer, rules: EventRules): Buffer {
  if (!bytes.includes(OWN_EVENT) && !bytes.includes(ERROR)) return bytes
  const events = bytes.toString('latin1').split(BEHIND_EVENT)
  return Buffer.from(events.map((event) => rewritten(event, rules)).join(''), 'latin1')
}

const OWN_EVENT = 'vertex_event'
const ERROR = '"error"'
const BEHIND_EVENT = /(?<=\n\r?\n)/

/** An event, as Latin-1, that goes on in its place. */
function rewritten(event: string, { unwanted, error: eventOf, write }: EventRules): string {
  if (unwanted?.test(event.slice(0, 128)) === true) return ''
  const data = event.includes(ERROR) ? DATA.exec(event)?.[1] : undefined
  if (data === undefined) return event
  const json = parseOrUndefined(Buffer.from(data, 'latin1').toString())
  const error = googleErrorOf(Array.isArray(json) ? (json as unknown[])[0] : json, 500)
  return error === null ? event : eventOf(Buffer.from(JSON.stringify(write(error))).toString('latin1'))
}

const DATA = /^data: ?(.*)$/m
