/** Events in the binary frames in which Amazon Bedrock sends them, and what the gateway hears of frames. */
import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { HubWire } from '../../src/core/wire.ts'
import type { Fault } from '../../src/core/faults.ts'
import { bedrock } from '../../src/upstreams/dialects/bedrock/bedrock.ts'
import type { UpstreamHandler } from '../../src/upstreams/upstream-client.ts'
import { chunkFrame, exceptionFrame, frame } from '../../tools/fake-upstream/clouds/bedrock-frames.ts'

/** The protocols whose streams come in frames: Converse, and Anthropic's as it is invoked. */
export type FramedWire = Extract<HubWire, 'bedrock-converse' | 'anthropic-messages'>

export const FRAMED_TYPE = 'application/vnd.amazon.eventstream'

/** The frames of server-sent events, those without data left out. Data need not be JSON. */
export function framesOf(wire: FramedWire, stream: string): readonly Buffer[] {
  return stream.split('\n\n').flatMap((event) => {
    const data = /^data: ?([^\n]*)/m.exec(event)?.[1]
    if (data === undefined) return []
    if (wire === 'anthropic-messages') return [chunkFrame(data)]
    const name = /^event: ?([^\n]*)/m.exec(event)?.[1] ?? ''
    if (name.endsWith('Exception')) return [exceptionFrame(name, messageIn(data))]
    const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }
    return [frame(headers, Buffer.from(data))]
  })
}

function messageIn(data: string): string {
  try {
    return String((JSON.parse(data) as { message?: unknown } | null)?.message)
  } catch {
    return ''
  }
}

export interface HeardFrames {
  /** The server-sent events, as they are heard of each piece. */
  readonly pieces: readonly Buffer[]
  /** null: the answer ended by itself. */
  readonly fault: Fault | null
}

/** What the gateway hears of a streamed answer that comes in these pieces. */
export function heardOf(wire: FramedWire, pieces: readonly Buffer[]): HeardFrames {
  const heard: Buffer[] = []
  const end: { fault: Fault | null; isOver: boolean } = { fault: null, isOver: false }
  const handler: UpstreamHandler = {
    onHead: () => undefined,
    onData: (chunk) => void heard.push(Buffer.from(chunk)),
    onEnd: () => void (end.isOver = true),
    onFailure: (fault) => void Object.assign(end, { fault, isOver: true }),
  }
  const hearing = hearingOf(wire, handler)
  hearing.onHead(200, { 'content-type': FRAMED_TYPE })
  for (const piece of pieces) if (!end.isOver) hearing.onData(piece)
  if (!end.isOver) hearing.onEnd()
  return { pieces: heard, fault: end.fault }
}

function hearingOf(wire: FramedWire, handler: UpstreamHandler): UpstreamHandler {
  const protocol = wire === 'anthropic-messages' ? 'anthropic' : 'converse'
  const baseUrl = 'https://bedrock-runtime.us-east-1.amazonaws.com'
  const path = wire === 'anthropic-messages' ? '/messages' : '/model/m/converse-stream'
  const asked = { method: 'POST', path, headers: {}, body: [], asks: { wire, model: 'm', form: 'stream' } } as const
  return bedrock({ protocol, baseUrl, region: null, apiVersion: null }).inbound(asked, handler)
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

/** The events in frames, as AWS' own codec reads them, up to an exception. `isDamaged`: it refuses one, or the last is not whole. */
export function eventsBySmithy(bytes: Buffer): { readonly events: string; readonly isDamaged: boolean } {
  let events = ''
  for (let at = 0; at < bytes.length;) {
    const length = bytes.length - at < 4 ? Infinity : bytes.readUInt32BE(at)
    if (at + length > bytes.length) return { events, isDamaged: true }
    try {
      const { headers, body } = codec.decode(bytes.subarray(at, at + length))
      const payload = Buffer.from(body).toString()
      if (headers[':message-type']?.value !== 'event')
        return { events: `${events}event: error\ndata: ${payload}\n\n`, isDamaged: false }
      events += `event: ${String(headers[':event-type']?.value)}\ndata: ${payload}\n\n`
    } catch {
      return { events, isDamaged: true }
    }
    at += length
  }
  return { events, isDamaged: false }
}
