/** How the fake Bedrock frames its streams, and what goes wrong with them. */
import type { ServerResponse } from 'node:http'
import { chunkFrame, exceptionFrame } from './bedrock-frames.ts'
import { type BedrockRefusal, exceptionOf } from './bedrock-judge.ts'
import { type Fields, jsonOf } from './json-of.ts'

/** What happens to the next stream or request, once. */
export type BedrockMishap =
  | { readonly kind: 'refusal'; readonly refusal: BedrockRefusal }
  /** The exception follows so many events. */
  | { readonly kind: 'exception'; readonly after: number; readonly type: string; readonly message: string }
  /** One bit of the frame behind so many events is another, of its payload unless said otherwise. */
  | { readonly kind: 'damage'; readonly after: number; readonly at?: 'length' | 'checksum' }
  /** The stream ends in the middle of a frame, or falls silent there. */
  | { readonly kind: 'cut' | 'hang'; readonly after: number }
  /** The stream itself reports no counts, or none of the cache. */
  | { readonly kind: 'metrics'; readonly leavesOut: 'all' | 'cache' }
  /** A refusal as a whole body of status 200, where a stream was asked for. */
  | { readonly kind: 'good-refusal'; readonly message: string }

/** Makes a frame of an event of the fake upstream's; null: it has no data. */
export interface EventFramer {
  frame(event: string): Buffer | null
}

/** Writes the frames of one stream, and what goes wrong with it. */
export class Framing {
  readonly #mishap: BedrockMishap | null
  readonly #framer: EventFramer
  #events = 0
  /** The stream says nothing more, and does not end. */
  #isSilent = false

  constructor(mishap: BedrockMishap | null, framer: EventFramer) {
    this.#mishap = mishap
    this.#framer = framer
  }

  /** Ends the answer, unless it hangs. */
  end(response: ServerResponse): void {
    if (!this.#isSilent) response.end()
  }

  write(event: string, response: ServerResponse): void {
    if (this.#isSilent) return
    const bytes = this.#framer.frame(event)
    if (bytes === null) return
    const mishap = this.#mishap
    if (mishap === null || !('after' in mishap) || this.#events++ !== mishap.after) return void response.write(bytes)
    const middle = Math.floor(bytes.length / 2)
    switch (mishap.kind) {
      case 'exception':
        return void response.end(exceptionFrame(mishap.type, mishap.message))
      case 'cut':
        return void response.end(bytes.subarray(0, middle))
      case 'hang':
        this.#isSilent = true
        return void response.write(bytes.subarray(0, middle))
      case 'damage': {
        const at = { length: 3, payload: middle, checksum: bytes.length - 1 }[mishap.at ?? 'payload']
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
        response.write(bytes)
      }
    }
  }
}

/** Frames Anthropic's events as those of an invocation. */
export class ChunkFramer implements EventFramer {
  readonly #mishap: BedrockMishap | null
  readonly #usage: Record<string, unknown> = {}

  constructor(mishap: BedrockMishap | null) {
    this.#mishap = mishap
  }

  frame(event: string): Buffer | null {
    const data = /^data: ?([^\n]*)/m.exec(event)?.[1]
    if (data === undefined) return null
    const fields = jsonOf(Buffer.from(data))
    if (fields === null) return chunkFrame(data)
    const { error } = fields as { error?: { type: string; message: string } }
    if (error !== undefined) return exceptionFrame(exceptionOf(error.type), error.message)
    return chunkFrame(JSON.stringify(this.#measured(fields)))
  }

  /** The event with the counts that the mishap leaves in it, and the last with those of AWS. */
  #measured(fields: Fields): object {
    const leavesOut = this.#mishap?.kind === 'metrics' ? this.#mishap.leavesOut : null
    const { type, message, usage } = fields as { type?: string; message?: Fields; usage?: Fields }
    const reported = (type === 'message_start' ? message?.['usage'] : usage) as Fields | undefined
    if (reported !== undefined) Object.assign(this.#usage, reported)
    if (type === 'message_start') return { ...fields, message: { ...message, usage: leftOf(reported, leavesOut) } }
    if (type === 'message_delta') return { ...fields, usage: leftOf(reported, leavesOut) }
    if (type !== 'message_stop') return fields
    return {
      ...fields,
      'amazon-bedrock-invocationMetrics': {
        inputTokenCount: this.#usage['input_tokens'] ?? 0,
        outputTokenCount: this.#usage['output_tokens'] ?? 0,
        invocationLatency: 1234,
        firstByteLatency: 123,
        cacheReadInputTokenCount: this.#usage['cache_read_input_tokens'] ?? 0,
        cacheWriteInputTokenCount: this.#usage['cache_creation_input_tokens'] ?? 0,
      },
    }
  }
}

function leftOf(usage: Fields | undefined, leavesOut: 'all' | 'cache' | null): object | undefined {
  if (leavesOut === 'all') return undefined
  const kept = Object.entries(usage ?? {}).filter(([name]) => leavesOut === null || !name.startsWith('cache'))
  return Object.fromEntries(kept)
}
