import { fieldsOf, type JsonObject } from '../../../protocols/json/json-object.ts'
import { memberOf } from '../../../protocols/body-members.ts'
import type { StreamFrame } from './event-stream.ts'
import { type FrameWriter, NO_EVENTS, refusalIn, serverEvent } from './frame-writer.ts'
import { completedUsage, METRICS } from './invocation-metrics.ts'
import { fieldsOfJson } from './json-fields.ts'
import { meaningOf, writeRefusal } from './refusals.ts'

/**
 * Writes the stream of `invoke-with-response-stream` as Anthropic's own: each chunk has one of its events in base64. The last
 * `message_delta` waits for what follows it, since AWS counts the tokens behind it.
 */
export class InvokeStream implements FrameWriter {
  #isOver = false
  /** The usage that the stream itself has reported so far. */
  #usage: JsonObject = {}
  /** A `message_delta` that is held back. */
  #held: Buffer | null = null

  get isOver(): boolean {
    return this.#isOver
  }

  write(frame: StreamFrame): Buffer {
    const refusal = refusalIn(frame)
    if (refusal !== null) {
      this.#isOver = true
      const error = Buffer.from(writeRefusal('anthropic', refusal, meaningOf(refusal, null)))
      return Buffer.concat([this.end(), serverEvent('error', error)])
    }
    const { bytes } = fieldsOfJson(frame.payload)
    return typeof bytes === 'string' ? this.#writeEvent(Buffer.from(bytes, 'base64')) : NO_EVENTS
  }

  end(): Buffer {
    const held = this.#held
    this.#held = null
    return held === null ? NO_EVENTS : serverEvent(DELTA, held)
  }

  #writeEvent(written: Buffer): Buffer {
    const type = typeOf(written)
    const data = type === 'message_start' ? this.#begin(written) : written
    if (type === 'message_stop') this.#complete(fieldsOfJson(data)[METRICS])
    const before = this.end()
    if (type !== DELTA) {
      const event = serverEvent(type, data)
      return before.length === 0 ? event : Buffer.concat([before, event])
    }
    this.#note(fieldsOfJson(data)['usage'])
    this.#held = data
    return before
  }

  /** The start of a message, with a usage where it has none: clients add to it what follows. */
  #begin(data: Buffer): Buffer {
    const fields = fieldsOfJson(data)
    const message = fieldsOf(fields['message'])
    this.#note(message['usage'])
    if (typeof message['usage'] === 'object' && message['usage'] !== null) return data
    const usage = { input_tokens: 0, output_tokens: 0 }
    return Buffer.from(JSON.stringify({ ...fields, message: { ...message, usage } }))
  }

  #note(usage: unknown): void {
    const counts = Object.entries(fieldsOf(usage)).filter(([, count]) => count !== null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) }
  }

  /** Writes into the event that is held back what AWS has counted and the stream has not. */
  #complete(metrics: unknown): void {
    const added = this.#held === null ? null : completedUsage(this.#usage, fieldsOf(metrics))
    if (this.#held === null || added === null) return
    const delta = fieldsOfJson(this.#held)
    this.#held = Buffer.from(JSON.stringify({ ...delta, usage: { ...fieldsOf(delta['usage']), ...added } }))
  }
}

const DELTA = 'message_delta'
const TYPE_FIRST = /^\{"type":"(?<type>[a-z_]{1,40})"/
const A_TYPE = /^"(?<type>[a-z_]{1,40})"$/

/** The type of an event, which is its name; null: it has none, as what only keeps a connection alive. */
function typeOf(data: Buffer): string | null {
  const first = TYPE_FIRST.exec(data.toString('latin1', 0, 64))
  return (first ?? A_TYPE.exec(memberOf(data, 'type') ?? ''))?.groups?.['type'] ?? null
}
