import { type Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { HangUp, Order } from './orders.ts'
import type { MenuWire } from './menu.ts'

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
  /** Bytes of the answer's body. */
  readonly bytes: number
  /** The answer was seen to its last byte: JSON of the announced length, or its protocol's terminal event. */
  readonly sawEnd: boolean
  /** The answer ended by the rules of HTTP. */
  readonly endedCleanly: boolean
  /** The client broke the connection off itself, before it had read everything. */
  readonly hungUp: boolean
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
  #hungUp = false

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
    outgoing.on('error', () => {})
    outgoing.on('close', () => over.resolve(this.#sighting(beganAt)))
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
      if (this.#hungUp) return
      this.#parts.push(part)
      this.#bytes += part.length
      if (hangUp?.kind === 'after_bytes' && this.#bytes >= hangUp.bytes) this.#hangUp(outgoing)
    })
    response.on('end', () => {
      this.#sawLastByte = !this.#hungUp
    })
    response.on('error', () => {})
  }

  #hangUp(outgoing: ClientRequest): void {
    if (this.#sawLastByte) return
    this.#hungUp = true
    outgoing.destroy()
  }

  #sighting(beganAt: number): Sighting {
    const response = this.#response
    const endedCleanly = this.#sawLastByte && response?.complete === true
    return {
      order: this.#order,
      status: response?.statusCode ?? null,
      requestId: headerOf(response, 'x-request-id'),
      fault: headerOf(response, 'x-tollgate-fault'),
      cost: headerOf(response, 'x-tollgate-cost'),
      bytes: this.#bytes,
      sawEnd: response?.statusCode === 200 && this.#hasEnd(response),
      endedCleanly,
      hungUp: this.#hungUp,
      beganAt,
      endedAt: performance.now(),
    }
  }

  #hasEnd(response: IncomingMessage): boolean {
    const text = Buffer.concat(this.#parts).toString()
    const isStream = headerOf(response, 'content-type')?.startsWith('text/event-stream') === true
    if (isStream) return hasTerminalEvent(this.#order.form.wire, text)
    return this.#bytes === Number(headerOf(response, 'content-length') ?? -1) && isJson(text)
  }
}

const TERMINAL_TYPES: Partial<Record<MenuWire, string>> = {
  'openai-responses': 'response.completed',
  'anthropic-messages': 'message_stop',
}

/** Whether the whole event by which this wire says "that was all" is among the events. */
function hasTerminalEvent(wire: MenuWire, text: string): boolean {
  // What stands behind the last blank line is half an event.
  const events = text.split(/\r?\n\r?\n/).slice(0, -1)
  const data = events.map((event) => /^data: ?(.*)$/m.exec(event)?.[1] ?? '')
  if (wire === 'openai-chat') return data.includes('[DONE]')
  return data.some((json) => isJson(json) && typeOf(json) === TERMINAL_TYPES[wire])
}

function typeOf(json: string): unknown {
  const value: unknown = JSON.parse(json)
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function headerOf(response: IncomingMessage | null, name: string): string | null {
  const value = response?.headers[name]
  return typeof value === 'string' ? value : null
}
