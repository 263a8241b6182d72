import type { StreamFrame } from './event-stream.ts'
import { fieldsOfJson } from './json-fields.ts'
import { type AwsRefusal, plainName } from './refusals.ts'

/** Writes the frames of one answer as the server-sent events of its wire. */
export interface FrameWriter {
  /** The events that a frame is; empty: it is none, or one that is still held back. */
  write(frame: StreamFrame): Buffer
  /** What is still held back when the stream ends. */
  end(): Buffer
  /** Whether an exception has ended the answer. */
  readonly isOver: boolean
}

/** The exception or error that a frame is; null: it is an event. */
export function refusalIn({ headers, payload }: StreamFrame): AwsRefusal | null {
  const type = headers.get(':message-type')
  if (type === 'event') return null
  const { message, originalMessage } = fieldsOfJson(payload)
  const said = originalMessage ?? message
  return {
    name: plainName(headers.get(':exception-type') ?? headers.get(':error-code') ?? 'InternalServerException'),
    message: typeof said === 'string' ? said : (headers.get(':error-message') ?? ''),
  }
}

/** One event, whose data are JSON. Line breaks stand only between the parts of JSON, and would end a line of data. */
export function serverEvent(name: string | null, data: Buffer): Buffer {
  const head = name === null ? 'data: ' : `event: ${name}\ndata: `
  const event = Buffer.allocUnsafe(head.length + data.length + 2)
  const at = event.write(head, 'latin1')
  data.copy(event, at)
  for (let i = at; i < at + data.length; i++) if (event[i] === FEED || event[i] === RETURN) event[i] = SPACE
  event.write('\n\n', at + data.length)
  return event
}

export const NO_EVENTS = Buffer.alloc(0)
const FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
