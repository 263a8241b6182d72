import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../../core/faults.ts'
import type { UpstreamHandler } from '../../upstream-client.ts'

/**
 * Hears a stream of chat completions in which a filter that runs beside the answer reports what it read. Its chunks have choices
 * without a delta, which OpenAI's always have and clients rely on (microsoft/autogen#6465, langchain-ai/langchain#18977,
 * CopilotKit/CopilotKit#2468): they get an empty one. All else passes as it came, in whole events.
 */
export class FilterReports implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  /** The beginning of an event whose end has not come. */
  #begun: Buffer = NOTHING
  /** What comes ends in other lines than Azure's events do: it passes unread. */
  #isUnread = false

  constructor(handler: UpstreamHandler) {
    this.#handler = handler
  }

  onConnected(): void {
    this.#handler.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#handler.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#isUnread) return this.#handler.onData(chunk)
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk])
    const last = bytes.lastIndexOf(EVENT_END)
    const end = last < 0 ? 0 : last + EVENT_END.length
    this.#begun = end === bytes.length ? NOTHING : bytes.subarray(end)
    if (end > 0) this.#handler.onData(withDeltas(bytes.subarray(0, end)))
    if (this.#begun.length <= EVENT_LIMIT_BYTES) return
    this.#isUnread = true
    this.#passRest()
  }

  onEnd(): void {
    this.#passRest()
    this.#handler.onEnd()
  }

  onFailure(fault: Fault): void {
    this.#passRest()
    this.#handler.onFailure(fault)
  }

  #passRest(): void {
    const rest = this.#begun
    this.#begun = NOTHING
    if (rest.length > 0) this.#handler.onData(rest)
  }
}

const NOTHING = Buffer.alloc(0)
const EVENT_END = Buffer.from('\n\n')
const REPORT = Buffer.from('"content_filter_offsets"')
/** Larger events are of pictures or sound, and of no filter. */
const EVENT_LIMIT_BYTES = 262_144

/** Whole events, in which every choice of a report has a delta; the same bytes where there is no report. */
function withDeltas(events: Buffer): Buffer {
  if (!events.includes(REPORT)) return events
  const parts = events.toString().split('\n\n')
  return Buffer.from(
    parts.map((event) => (event.includes('"content_filter_offsets"') ? reported(event) : event)).join('\n\n'),
  )
}

function reported(event: string): string {
  const start = event.indexOf('{')
  try {
    const chunk = JSON.parse(event.slice(start)) as { readonly choices?: unknown }
    if (!Array.isArray(chunk.choices)) return event
    const choices = chunk.choices.map((choice: unknown) =>
      typeof choice === 'object' && choice !== null && !('delta' in choice) ? { ...choice, delta: {} } : choice,
    )
    return event.slice(0, start) + JSON.stringify({ ...chunk, choices })
  } catch {
    return event
  }
}
