import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../../protocols/json/json-object.ts'
import type { Fault } from '../../../core/faults.ts'
import { ERROR_ANSWER_LIMIT_BYTES } from '../../../core/limits.ts'
import { ConnectionError, faultOf } from '../../connection-error.ts'
import type { UpstreamHandler } from '../../upstream-client.ts'
import { FrameFlaw, FrameReader } from './event-stream.ts'
import type { FrameWriter } from './frame-writer.ts'
import { fieldsOfJson } from './json-fields.ts'
import { type ErrorForm, isOfAws, meaningOf, readRefusal, writeRefusal } from './refusals.ts'

export interface BedrockAnswerOptions {
  readonly form: ErrorForm
  /** Writes the frames of a stream; null: none was asked for, or it comes as server-sent events. */
  readonly writer: FrameWriter | null
  /** Writes a whole answer anew; null: it stays as it is. */
  readonly rewrite: ((fields: JsonObject) => object) | null
}

/** What hears one answer of Bedrock's, and passes it on as the wire's own provider would have sent it. */
export class BedrockAnswer implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  readonly #options: BedrockAnswerOptions
  readonly #reader = new FrameReader()
  #mode: 'pass' | 'frames' | 'collect' = 'pass'
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #collected: Buffer[] = []
  #size = 0

  constructor(handler: UpstreamHandler, options: BedrockAnswerOptions) {
    this.#handler = handler
    this.#options = options
  }

  onConnected(): void {
    this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
    const isGood = status >= 200 && status < 300
    if (isGood && this.#options.writer !== null && isFramed(headers)) {
      this.#mode = 'frames'
      this.#handler.onHead(status, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
    } else if (!isGood || this.#options.rewrite !== null || (this.#options.writer !== null && !isEvents(headers))) {
      this.#mode = 'collect'
    } else {
      this.#handler.onHead(status, headers)
    }
  }

  onData(chunk: Buffer): void {
    if (this.#mode === 'frames') return this.#readFrames(chunk)
    if (this.#mode === 'pass') return this.#handler.onData(chunk)
    this.#collected.push(chunk)
    this.#size += chunk.length
    if (this.#size > ERROR_ANSWER_LIMIT_BYTES) this.#passCollected()
  }

  onEnd(): void {
    if (this.#mode === 'collect') return this.#endCollected()
    if (this.#mode === 'frames') {
      if (!this.#reader.isBetweenFrames) {
        return this.onFailure(faultOf(new ConnectionError('UPSTREAM_CLOSED', 'a stream that ends within a frame')))
      }
      this.#send(this.#options.writer?.end())
    }
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    if (this.#mode === 'collect') this.#passCollected()
    else if (this.#mode === 'frames') this.#send(this.#options.writer?.end())
    this.#handler.onFailure(fault)
  }

  /** All events of one piece go on together. */
  #readFrames(chunk: Buffer): void {
    const { writer } = this.#options
    const events: Buffer[] = []
    let flaw: FrameFlaw | null = null
    try {
      for (const frame of this.#reader.read(chunk)) {
        if (writer !== null) events.push(writer.write(frame))
        // What stands behind an exception is not looked at, so it cannot be damaged.
        if (writer?.isOver !== false) break
      }
    } catch (error) {
      if (!(error instanceof FrameFlaw)) throw error
      flaw = error
    }
    this.#send(events.length === 1 ? events[0] : Buffer.concat(events))
    if (flaw !== null) this.onFailure(faultOf(new ConnectionError('UPSTREAM_MALFORMED', flaw.message)))
    else if (writer?.isOver === true) this.#handler.onEnd()
  }

  #send(events: Buffer | undefined): void {
    if (events !== undefined && events.length > 0) this.#handler.onData(events)
  }

  /** A whole body that is a refusal, or that is written anew. A refusal may come with a good status (Portkey-AI/gateway #1142). */
  #endCollected(): void {
    const { form, rewrite } = this.#options
    const body = Buffer.concat(this.#collected)
    const fields = fieldsOfJson(body)
    const isGood = this.#status < 300
    const isRefusal = isOfAws(this.#headers, fields) && (!isGood || typeof fields['message'] === 'string')
    if (isRefusal && !isRedirect(this.#status)) {
      const refusal = readRefusal(this.#headers, fields)
      const meaning = meaningOf(refusal, isGood ? 400 : this.#status)
      this.#headers = { ...this.#headers, 'content-type': 'application/json' }
      this.#status = meaning.status
      this.#collected = [Buffer.from(writeRefusal(form, refusal, meaning))]
    } else if (isGood && rewrite !== null) {
      this.#collected = [Buffer.from(JSON.stringify(rewrite(fields)))]
    }
    this.#passCollected()
    this.#handler.onEnd()
  }

  #passCollected(): void {
    this.#mode = 'pass'
    this.#handler.onHead(this.#status, this.#headers)
    for (const piece of this.#collected) this.#handler.onData(piece)
    this.#collected = []
  }
}

function isFramed(headers: IncomingHttpHeaders): boolean {
  return /^application\/vnd\.amazon\.eventstream\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** Server-sent events, as another server on the way may write them. */
function isEvents(headers: IncomingHttpHeaders): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** A redirect is heard as one, whatever stands in it. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}
