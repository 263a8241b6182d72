import { JsonFlaw } from '../json/json-bytes.ts'
import { readFields } from '../reading/answer.ts'
import { endOfEvent, readServerEvent } from '../reading/server-event.ts'

/**
 * What the SDKs of a wire need of each event, which upstreams of the same name may leave out.
 * `named`: an `event:` line with the type of the data, without which Anthropic's pass the event over (@anthropic-ai/sdk 1.11).
 * `bare`: one line, which begins with `data:`, and no comments; Google's read nothing else (@google/genai 3.1), or fail (go-genai).
 */
export type EventStyle =
  | { readonly kind: 'named'; /** The types of the wire's events. */ readonly types: RegExp }
  | { readonly kind: 'bare' }

/** Whether the first of these events, or of a wire with names any of them, lacks what its SDKs need. */
export function lacksStyle(events: Buffer, style: EventStyle): boolean {
  const [first = NOTHING, ...others] = eachOf(events)
  if (style.kind === 'bare') return !BARE.test(first.toString('latin1'))
  return [first, ...others].some((event) => nameToWrite(event, style.types) !== null)
}

/** Whole events in that style; the last one may lack its blank line. */
export function inStyle(events: Buffer, style: EventStyle): Buffer {
  const written = eachOf(events).map((event) => (style.kind === 'named' ? named(event, style.types) : bare(event)))
  return Buffer.concat(written)
}

function eachOf(events: Buffer): Buffer[] {
  const text = events.toString('latin1')
  const found: Buffer[] = []
  for (let start = 0; start < text.length;) {
    const end = endOfEvent(text, start)
    found.push(events.subarray(start, end))
    start = end
  }
  return found
}

/** The data on one line, and a blank line behind it. */
const BARE = /^data:[^\r\n]*(?:\n\n|\r\n\r\n)[\r\n]*$/
const TYPE = new Set(['type'])
const NOTHING = Buffer.alloc(0)

/** The name that the event lacks; null where it has it, or has no data of a type that is known. */
function nameToWrite(event: Buffer, types: RegExp): string | null {
  const { name, data } = readServerEvent(event)
  if (data.length === 0) return null
  const fields = readFields(data, TYPE)
  const type = fields instanceof JsonFlaw ? undefined : fields.get('type')
  return typeof type === 'string' && type !== name && types.test(type) ? type : null
}

function named(event: Buffer, types: RegExp): Buffer {
  const name = nameToWrite(event, types)
  if (name === null) return event
  const lines = event.toString('latin1').replace(/^event:[^\n]*\n/m, '')
  return Buffer.from(`event: ${name}\n${lines}`, 'latin1')
}

/** An error stays as it is, and what says nothing is left out. */
function bare(event: Buffer): Buffer {
  const text = event.toString('latin1')
  if (BARE.test(text) || readServerEvent(event).name === 'error') return event
  if (!/^data/m.test(text)) return readServerEvent(event).data.length === 0 ? NOTHING : event
  const data = readServerEvent(event)
    .data.toString('latin1')
    .replace(/[\r\n]/g, ' ')
  return Buffer.from(`data: ${data}${/\n\r?\n$/.test(text) ? '\n\n' : ''}`, 'latin1')
}
