import type { UpstreamError } from '../protocol.ts'
import { endOfEvent, readServerEvent } from './server-event.ts'
import { fieldsOf, parseOrUndefined } from '../json/json-object.ts'

/**
 * What an upstream says in an error answer. Seen: `{"error":{message,type,code,param}}`, `{"error":"text"}`,
 * `{"message"}`, `{"detail"}` (FastAPI), `[{"error":…}]` (Gemini), Anthropic's `{"type":"error","error":{…}}`, each of them
 * also as the event of a stream, plain text and HTML. A page of HTML has nothing to say to a caller. Never throws.
 */
export function readErrorAnswer(body: Buffer): UpstreamError {
  const value = errorJson(body)
  if (value !== undefined) return readErrorObject(value)
  const text = withoutMark(body.toString()).trim()
  return { ...SILENT, message: text === '' || text.startsWith('<') ? null : publicText(text) }
}

/** The JSON of an error answer, be it that of an event; undefined where it has none. */
export function errorJson(body: Buffer): unknown {
  const value = parsed(body)
  return value === undefined ? eventJson(body) : value
}

function parsed(bytes: Buffer): unknown {
  return parseOrUndefined(withoutMark(bytes.toString()))
}

/** The first of several events that names an error, else the first. */
function eventJson(body: Buffer): unknown {
  const bytes = Buffer.from(withoutMark(body.toString()).trimStart().replace(/\r\n?/g, '\n'))
  const text = bytes.toString('latin1')
  let first: unknown
  for (let start = 0; start < text.length;) {
    const end = endOfEvent(text, start)
    const { name, data } = readServerEvent(bytes.subarray(start, end))
    const value = data.length === 0 ? undefined : parsed(data)
    if (value !== undefined && (name === 'error' || fieldsOf(value)['error'] !== undefined)) return value
    first ??= value
    start = end
  }
  return first
}

/** A byte order mark may stand before any text. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** Reads an error that arrived as a JSON value within something else. */
export function readErrorObject(value: unknown): UpstreamError {
  const outer: unknown = Array.isArray(value) ? value[0] : value
  if (typeof outer === 'string') return { ...SILENT, message: publicText(outer) }
  const fields = fieldsOf(outer)
  const inner = fields['error']
  if (typeof inner === 'string') return { ...SILENT, message: publicText(inner), code: word(fields['code']) }
  const error = typeof inner === 'object' && inner !== null ? fieldsOf(inner) : fields
  const message = error['message'] ?? error['detail']
  return {
    message: typeof message === 'string' ? publicText(message) : null,
    type: word(error['type']),
    code: word(error['code']),
    param: word(error['param']),
  }
}

const SILENT: UpstreamError = { message: null, type: null, code: null, param: null }

/** Clients parse the wording of context-length errors, which is at the front. */
const MESSAGE_CHARACTERS_LIMIT = 2_000
const WORD_CHARACTERS_LIMIT = 128

const LINK = /\bhttps?:\/\/[^\s"'<>)\]]+/gi
/** Credentials as upstreams echo them: `sk-…1234`, `Bearer …`, `AIza…`. Short words like `sk-test` stay. */
const CREDENTIAL = /\b(?:(?:sk|pk|rk|key|xai|gsk)-[\w*.-]{8,}|AIza[\w-]{20,}|Bearer\s+\S{8,})/g

/** No message names an upstream or its credential; the rest keeps its wording. */
function publicText(text: string): string {
  return text
    .slice(0, MESSAGE_CHARACTERS_LIMIT)
    .replaceAll(LINK, '(link removed)')
    .replaceAll(CREDENTIAL, '(credential removed)')
}

/** Codes are strings at most vendors and numbers at some. */
function word(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value.slice(0, WORD_CHARACTERS_LIMIT) : null
}
