/** What becomes of an answer that comes in certain reads: with the gateway's own client, and with undici's. */
import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { Client } from 'undici'
import type { SocketEvents } from '../../../src/upstreams/http/dial.ts'
import { HttpUpstream } from '../../../src/upstreams/http-upstream.ts'

export interface Taken {
  /** 0: no head was accepted. */
  status: number
  /** All headers of an error, and the content type of a good answer. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** `whole`: ended well. Else why it was refused. */
  end: string
}

const URL_OF_NOTHING = 'http://upstream.test'
const TURN = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A connection that is all in the test's hand. */
class WireByHand extends EventEmitter {
  destroyed = false
  readonly writableLength = 0
  isWritten = false
  #isPaused = false

  write(): boolean {
    this.isWritten = true
    return true
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    setImmediate(() => this.emit('close'))
  }

  cork(): void {}
  uncork(): void {}
  ref(): void {}
  unref(): void {}

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
  }

  get isPaused(): boolean {
    return this.#isPaused
  }
}

/** Has our client take it. Each read comes in the same buffer, as with a socket. */
export async function takenByUs(reads: readonly Buffer[]): Promise<Taken> {
  const taken: Taken = { status: 0, headers: {}, body: Buffer.alloc(0), end: '' }
  const wires: { wire: WireByHand; events: SocketEvents }[] = []
  const upstream = new HttpUpstream({
    baseUrl: URL_OF_NOTHING,
    headers: {},
    connectTimeoutMs: 1,
    maxConcurrency: null,
    dial: (events) => {
      const wire = new WireByHand()
      wires.push({ wire, events })
      return wire as unknown as Socket
    },
  })
  const pieces: Buffer[] = []
  upstream.send(
    { method: 'POST', path: '/', headers: {}, body: [] },
    {
      onHead: (status, headers) => {
        taken.status = status
        taken.headers = seen(status, headers)
      },
      onData: (piece) => pieces.push(piece),
      onEnd: () => (taken.end = 'whole'),
      onFailure: ({ code, cause }) => (taken.end = `${code}: ${cause instanceof Error ? cause.message : ''}`),
    },
  )
  await TURN()
  const [opened] = wires
  if (opened === undefined) throw new Error('no connection was opened')
  const { wire, events } = opened
  events.onReady()
  const buffer = Buffer.alloc(65_536)
  for (const read of reads) {
    if (wire.destroyed) break
    buffer.fill(0xaa)
    read.copy(buffer)
    events.onRead(buffer.subarray(0, read.length))
  }
  buffer.fill(0xaa)
  if (!wire.destroyed) wire.emit('end')
  await upstream.close()
  taken.body = Buffer.concat(pieces)
  return taken
}

/** Has undici take it. */
export async function takenByUndici(reads: readonly Buffer[]): Promise<Taken> {
  const taken: Taken = { status: 0, headers: {}, body: Buffer.alloc(0), end: '' }
  const { promise: written, resolve: isWritten } = Promise.withResolvers<void>()
  const write = (_bytes: Buffer, _encoding: string, then: () => void): void => {
    isWritten()
    then()
  }
  const wire = new Duplex({ read() {}, write, allowHalfOpen: false })
  const client = new Client(URL_OF_NOTHING, {
    connect: (_options, opened) => void setImmediate(() => opened(null, wire as unknown as Socket)),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const pieces: Buffer[] = []
  client.dispatch(
    { method: 'POST', path: '/', headers: {}, body: '' },
    {
      onRequestStart() {},
      onResponseStart(_controller, status, headers) {
        if (status < 200) return
        taken.status = status
        taken.headers = seen(status, headers)
      },
      onResponseData: (_controller, piece) => void pieces.push(Buffer.from(piece)),
      onResponseEnd: () => void (taken.end = 'whole'),
      onResponseError: (_controller, error) =>
        void (taken.end ||= `${(error as { code?: string }).code}: ${error.message}`),
    },
  )
  await written
  for (const read of reads) {
    if (wire.destroyed) break
    wire.push(Buffer.from(read))
    await TURN()
  }
  if (!wire.destroyed) wire.push(null)
  for (let turns = 0; taken.end === '' && turns < 5; turns++) await TURN()
  taken.body = Buffer.concat(pieces)
  await client.destroy()
  return taken
}

/** The first of each name. Undici keeps blanks at the end of a value where a read ended. */
function seen(status: number, headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const names = Object.keys(headers).filter((name) => name === 'content-type' || (status >= 300 && !(name in {})))
  const value = (name: string): string => [headers[name]].flat()[0]?.replace(/[ \t]+$/, '') ?? ''
  return Object.fromEntries(names.filter((name) => name !== 'set-cookie').map((name) => [name, value(name)]))
}
