import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../../core/faults.ts'
import type { UpstreamHandler } from '../../upstream-client.ts'
import { WholeEvents } from '../whole-events.ts'

/**
 * Hears a stream of chat completions in which a filter that runs beside the answer reports what it read. Its chunks have choices
 * without a delta, which OpenAI's always have and clients rely on (microsoft/autogen#6465, langchain-ai/langchain#18977,
 * CopilotKit/CopilotKit#2468): they get an empty one. All else passes as it came, in whole events.
 */
export class FilterReports implements UpstreamHandler {
  readonly #handler: UpstreamHandler
  readonly #events = new WholeEvents()
  /** What comes has no ends of events: it passes unread. */
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
    const events = this.#events.add(chunk)
    if (events.length > 0) this.#handler.onData(withDeltas(events))
    if (this.#events.size <= EVENT_LIMIT_BYTES) return
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
    const rest = this.#events.takeRest()
    if (rest.length > 0) this.#handler.onData(rest)
  }
}

const REPORT = Buffer.from('"content_filter_offsets"')
/** Larger events are of pictures or sound, and of no filter. */
const EVENT_LIMIT_BYTES = 262_144

/** Whole events, in which every choice of a report has a delta; the same bytes where there is no report. */
function withDeltas(events: Buffer): Buffer {
  if (!events.includes(REPORT)) return events
  const parts = events.toString().split(BEHIND_EVENT)
  return Buffer.from(
    parts.map((event) => (event.includes('"content_filter_offsets"') ? reported(event) : event)).join(''),
  )
}

const BEHIND_EVENT = /(?<=\n\r?\n)/

function reported(event: string): string {
  const start = event.indexOf('{')
  try {
    const chunk = JSON.parse(event.slice(start)) as { readonly choices?: unknown }
    if (!Array.isArray(chunk.choices)) return event
    const choices = chunk.choices.map((choice: unknown) =>
      typeof choice === 'object' && choice !== null && !('delta' in choice) ? { ...choice, delta: {} } : choice,
    )
    return event.slice(0, start) + JSON.stringify({ ...chunk, choices }) + event.slice(event.trimEnd().length)
  } catch {
    return event
  }
}
