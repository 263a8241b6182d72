/** The binary event streams of the fake Bedrock, written by Smithy's own codec. */
import { EventStreamCodec } from '@smithy/eventstream-codec'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

/** An event of the stream of an invocation: one event of Anthropic's in base64, with padding that hides its length. */
export function chunkFrame(event: string): Buffer {
  const payload = {
    bytes: Buffer.from(event).toString('base64'),
    p: 'abcdefghijklmnopqrstuvwxyz'.slice(0, 3 + (event.length % 20)),
  }
  return frame({ ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }, payload)
}

/** An exception in the middle of a stream. */
export function exceptionFrame(type: string, message: string): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
  return frame(headers, { message })
}

/** `payload`: as it is where it is a buffer, else as JSON. */
export function frame(headers: Readonly<Record<string, string>>, payload: object): Buffer {
  const written = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }] as const)
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
  return Buffer.from(codec.encode({ headers: Object.fromEntries(written), body }))
}
