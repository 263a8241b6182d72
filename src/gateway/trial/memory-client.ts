import { CollectedBytes } from '../../core/collected-bytes.ts'
import { ERROR_ANSWER_LIMIT_BYTES } from '../../core/limits.ts'
import type { ClientRequest, ClientResponse } from '../client-connection.ts'

/** A client's request that comes from this process. */
export function memoryRequest(asked: {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}): ClientRequest {
  const headers = { ...asked.headers, 'content-length': String(asked.body.length) }
  const request: ClientRequest = {
    method: 'POST',
    url: asked.path,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    // Its identity alone is used: nothing of an earlier connection holds for this one.
    socket: { destroyed: false, writableLength: 0, bytesWritten: 0, destroy: () => undefined },
    complete: true,
    destroyed: false,
    arrived: asked.body,
    on: () => request,
    removeAllListeners: () => request,
    resume: () => request,
    destroy: () => undefined,
  }
  return request
}

/** What a client in this process gets: its head, and as much of its body as an error has. */
export class MemoryResponse implements ClientResponse {
  /** Streams come unframed. */
  readonly req = { httpVersionMinor: 0 }
  readonly socket = null
  status: number | null = null
  headersSent = false
  destroyed = false
  writableEnded = false
  chunkedEncoding = false
  readonly #headers = new Map<string, string>()
  readonly #body = new CollectedBytes()
  #onClose: (() => void)[] = []

  header(name: string): string | null {
    return this.#headers.get(name) ?? null
  }

  /** The first of it. */
  get body(): Buffer {
    return this.#body.whole()
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name.toLowerCase(), value)
  }

  writeHead(status: number, headers: string[]): void {
    this.status = status
    this.headersSent = true
    for (let i = 0; i + 1 < headers.length; i += 2) this.setHeader(headers[i] ?? '', headers[i + 1] ?? '')
  }

  flushHeaders(): void {
    this.headersSent = true
  }

  write(data: Buffer | string, then?: (() => void) | 'latin1'): boolean {
    this.#keep(data)
    if (typeof then === 'function') setImmediate(then)
    return true
  }

  end(data?: Buffer | string): void {
    if (data !== undefined) this.#keep(data)
    this.writableEnded = true
    setImmediate(() => this.#close())
  }

  destroy(): void {
    this.#close()
  }

  on(event: 'close' | 'drain', listener: () => void): void {
    if (event === 'close') this.#onClose.push(listener)
  }

  once(_event: 'close', listener: () => void): void {
    this.#onClose.push(listener)
  }

  #keep(data: Buffer | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
    this.#body.add(bytes, ERROR_ANSWER_LIMIT_BYTES)
  }

  #close(): void {
    if (this.destroyed) return
    this.destroyed = true
    const listeners = this.#onClose
    this.#onClose = []
    for (const listener of listeners) listener()
  }
}
