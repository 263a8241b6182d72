import type { StreamFrame } from './event-stream.ts'
import { type FrameWriter, NO_EVENTS, serverEvent } from './frame-writer.ts'

/**
 * Writes Converse's stream as server-sent events, which it has no form of at AWS: each is named by its event type, or by the type
 * of its exception, and its data are the payload.
 */
export class ConverseStream implements FrameWriter {
  #isOver = false

  get isOver(): boolean {
    return this.#isOver
  }

  write({ headers, payload }: StreamFrame): Buffer {
    const event = headers.get(':event-type')
    if (event !== undefined) return serverEvent(nameOf(event), payload)
    this.#isOver = true
    const exception = headers.get(':exception-type')
    if (exception !== undefined) return serverEvent(nameOf(exception), payload)
    const message = headers.get(':error-message') ?? ''
    return serverEvent(nameOf(headers.get(':error-code') ?? 'error'), Buffer.from(JSON.stringify({ message })))
  }

  end(): Buffer {
    return NO_EVENTS
  }
}

/** Names are of letters. */
function nameOf(said: string): string {
  return said.replaceAll(/[^\w-]/g, '')
}
