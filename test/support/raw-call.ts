/** Calls for tests that look at bytes, which a client library would hide. */
import { connect } from 'node:net'
import type { WireName } from '../../tools/fake-upstream/ask.ts'

/** Gemini stands apart: its calls name the model in the path. */
type BodyWire = Exclude<WireName, 'gemini' | 'converse'>

export const WIRE_PATHS: Readonly<Record<BodyWire, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

export const WIRE_NAMES = Object.keys(WIRE_PATHS) as BodyWire[]

/** A body that each of the three wires takes. */
export function bodyOf(model: string, more: object = {}): string {
  const stream = { stream: true, stream_options: { include_usage: true } }
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }], input: 'hello', ...stream, ...more })
}

export interface RawAnswer {
  readonly head: string
  /** Everything after the head, with the framing of the chunks. */
  readonly rest: Buffer
}

/** One request on a connection of its own. Resolves when the server closes it, as `connection: close` asks for. */
export function callRaw(url: string, call: { path: string; body: string; version?: string }): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const { path, body, version = '1.1' } = call
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('close', () => {
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      resolve({ head: all.subarray(0, Math.max(end, 0)).toString(), rest: all.subarray(end === -1 ? 0 : end + 4) })
    })
    const length = Buffer.byteLength(body)
    socket.write(
      `POST ${path} HTTP/${version}\r\nhost: test\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${body}`,
    )
  })
}

/** The HTTP chunks of an answer in their order; the empty one that ends it is the last, if it was sent. */
export function chunksOf(rest: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  while (at < rest.length) {
    const end = rest.indexOf('\r\n', at)
    const length = Number.parseInt(rest.subarray(at, end).toString(), 16)
    chunks.push(rest.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return chunks
}
