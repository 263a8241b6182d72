import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { HangUp, Order } from './orders.ts'
import type { MenuWire } from './menu.ts'
import { endOfStream } from './stream-end.ts'

/** What one client saw of one request, and how it ended for it. */
export interface Sighting {
  readonly order: Order
  /** null: no header of an answer came. */
  readonly status: number | null
  readonly requestId: string | null
  /** The header `x-tollgate-fault`. */
  readonly fault: string | null
  /** The header `x-tollgate-cost`. */
  readonly cost: string | null
  /** The header `retry-after`. */
  readonly retryAfter: string | null
  /** The header `x-tollgate-output-limit`: the limit that the gateway lowered, in tokens. */
  readonly outputLimit: number | null
  /** Bytes of the answer's body. */
  readonly bytes: number
  /** The answer was seen to its last byte: JSON of the announced length, or its protocol's terminal event. */
  readonly sawEnd: boolean
  /** The stream came to its end because no more may be written: bytes of the text that it had. null: it did not. */
  readonly cutShortAfter: number | null
  /** The answer was there, the client got the error, and it could not be written into the books. */
  readonly isHeldBack: boolean
  /** The answer ended by the rules of HTTP. */
  readonly endedCleanly: boolean
  /** What the client's own end of the connection said when it broke; null: nothing. */
  readonly brokenBy: string | null
  /** The client broke the connection off itself, before it had read everything. */
  readonly hungUp: boolean
  /** When it did, by `performance.now()`; null: it did not. */
  readonly hungUpAt: number | null
  /** Readings of `performance.now()`. */
  readonly beganAt: number
  readonly endedAt: number
}

const PATHS: Record<MenuWire, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'openai-embeddings': '/v1/embeddings',
  'anthropic-messages': '/v1/messages',
}

/** Sends one order and watches what becomes of it. Never rejects: a broken connection is a sighting too. */
export function watch(order: Order, target: { origin: string; agent: Agent }): Promise<Sighting> {
  return new Watching(order).run(target)
}

class Watching {
  readonly #order: Order
  readonly #parts: Buffer[] = []
  #bytes = 0
  #response: IncomingMessage | null = null
  #sawLastByte = false
  #hungUpAt: number | null = null
  #failure: string | null = null
  /** Read since the last pause, by a slow client. */
  #bytesInARow = 0

  constructor(order: Order) {
    this.#order = order
  }

  run({ origin, agent }: { origin: string; agent: Agent }): Promise<Sighting> {
    const beganAt = performance.now()
    const { form, body } = this.#order
    const outgoing = request(origin + PATHS[form.wire], { method: 'POST', agent, headers: this.#headers() })
    const over = Promise.withResolvers<Sighting>()
    outgoing.on('response', (response) => this.#read(response, outgoing))
    // The connection broke; what was seen until then stands in the sighting.
    outgoing.on('error', (error) => this.#brokenBy(error))
    outgoing.on('close', () => this.#whenRead(() => over.resolve(this.#sighting(beganAt))))
    this.#send(outgoing, body)
    return over.promise
  }

  #headers(): Record<string, string> {
    const { form, body, key, tag } = this.#order
    return {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': tag,
      ...(form.wire === 'anthropic-messages'
        ? { 'x-api-key': key.secret, 'anthropic-version': '2023-06-01' }
        : { authorization: `Bearer ${key.secret}` }),
    }
  }

  #send(outgoing: ClientRequest, body: Buffer): void {
    const { hangUp } = this.#order
    if (hangUp?.kind === 'while_sending') {
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => this.#hangUp(outgoing))
      return
    }
    outgoing.end(body, () => {
      if (hangUp?.kind === 'after_sending') this.#hangUpLater(outgoing, hangUp)
    })
  }

  #hangUpLater(outgoing: ClientRequest, { delayMs }: Extract<HangUp, { kind: 'after_sending' }>): void {
    const timer = setTimeout(() => this.#hangUp(outgoing), delayMs)
    outgoing.on('close', () => clearTimeout(timer))
  }

  #read(response: IncomingMessage, outgoing: ClientRequest): void {
    const { hangUp } = this.#order
    this.#response = response
    response.on('data', (part: Buffer) => {
      // What was read in the same instant still comes, and a part of it may be missing.
      if (this.#hungUpAt !== null) return
      this.#parts.push(part)
      this.#bytes += part.length
      if (hangUp?.kind === 'after_bytes' && this.#bytes >= hangUp.bytes) this.#hangUp(outgoing)
      else if (this.#order.readsSlowly === true) this.#rest(response, part.length)
    })
    response.on('end', () => {
      this.#sawLastByte = this.#hungUpAt === null
    })
    response.on('error', (error) => this.#brokenBy(error))
  }

  /** A slow client may not have read everything yet when its connection is closed behind the whole of it. */
  #whenRead(then: () => void): void {
    const response = this.#response
    if (response === null || response.closed) then()
    else response.once('close', then)
  }

  #brokenBy(error: NodeJS.ErrnoException): void {
    this.#failure ??= error.code ?? error.message
  }

  #rest(response: IncomingMessage, bytes: number): void {
    this.#bytesInARow += bytes
    if (this.#bytesInARow < SLOW_AFTER_BYTES) return
    this.#bytesInARow = 0
    response.pause()
    setTimeout(() => response.resume(), SLOW_MS)
  }

  #hangUp(outgoing: ClientRequest): void {
    if (this.#sawLastByte) return
    this.#hungUpAt = performance.now()
    outgoing.destroy()
  }

  #sighting(beganAt: number): Sighting {
    const response = this.#response
    const text = Buffer.concat(this.#parts).toString()
    const end = response?.statusCode === 200 ? this.#endOf(response, text) : null
    return {
      order: this.#order,
      status: response?.statusCode ?? null,
      requestId: headerOf(response, 'x-request-id'),
      fault: headerOf(response, 'x-tollgate-fault'),
      cost: headerOf(response, 'x-tollgate-cost'),
      retryAfter: headerOf(response, 'retry-after'),
      outputLimit: numberOrNull(headerOf(response, 'x-tollgate-output-limit')),
      bytes: this.#bytes,
      sawEnd: end !== null,
      cutShortAfter: end?.cutShortAfter ?? null,
      isHeldBack: text.includes(HELD_BACK),
      endedCleanly: this.#sawLastByte && response?.complete === true,
      brokenBy: this.#failure,
      hungUp: this.#hungUpAt !== null,
      hungUpAt: this.#hungUpAt,
      beganAt,
      endedAt: performance.now(),
    }
  }

  /** null: what came is not the whole of it. */
  #endOf(response: IncomingMessage, text: string): { readonly cutShortAfter: number | null } | null {
    const isStream = headerOf(response, 'content-type')?.startsWith('text/event-stream') === true
    if (isStream) return endOfStream(this.#order.form.wire, text)
    const isWhole = this.#bytes === Number(headerOf(response, 'content-length') ?? -1) && isJson(text)
    return isWhole ? { cutShortAfter: null } : null
  }
}

/** Words of the fault; no model of the menu writes them. */
const HELD_BACK = 'its usage could not be recorded, so the response is withheld'
const SLOW_AFTER_BYTES = 16_384
const SLOW_MS = 25

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text)
}

function headerOf(response: IncomingMessage | null, name: string): string | null {
  const value = response?.headers[name]
  return typeof value === 'string' ? value : null
}
