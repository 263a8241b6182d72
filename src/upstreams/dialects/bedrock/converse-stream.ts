import type { StreamFrame } from './event-stream.ts'
import { type FrameWriter, NO_EVENTS, refusalIn, serverEvent } from './frame-writer.ts'
import { meaningOf, writeRefusal } from './refusals.ts'

/**
 * Writes Converse's stream as server-sent events, which it has no form of at AWS: each is named by its event type, and its data are
 * the payload. An exception is an event `error`, which says what it means as a refusal of the same name does.
 */
export class ConverseStream implements FrameWriter {
  #isOver = false

  get isOver(): boolean {
    return this.#isOver
  }

  write(frame: StreamFrame): Buffer {
    const refusal = refusalIn(frame)
    if (refusal !== null) {
      this.#isOver = true
      return serverEvent('error', Buffer.from(writeRefusal('converse', refusal, meaningOf(refusal, null))))
    }
    return serverEvent(nameOf(frame.headers.get(':event-type') ?? ''), frame.payload)
  }

  end(): Buffer {
    return NO_EVENTS
  }
}

/** Names are of letters. */
function nameOf(said: string): string {
  return said.replaceAll(/[^\w-]/g, '')
}
