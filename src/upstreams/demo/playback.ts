import { Fault } from '../../core/faults.ts'
import type { UpstreamExchange, UpstreamHandler } from '../upstream-client.ts'
import type { WireAnswer } from './wire-answer.ts'

/** Calls back once after `delayMs`; the function that comes back cancels that. */
export type Schedule = (callback: () => void, delayMs: number) => () => void

export interface PlaybackOptions {
  readonly schedule: Schedule
  /** The pause before each chunk, milliseconds. */
  readonly delayMs: number
  /** Makes the answer when its turn comes. */
  readonly answer: () => WireAnswer
  readonly handler: UpstreamHandler
  /** Called once, before the last call on the handler: ended, failed or aborted. */
  readonly onClosed: () => void
}

/**
 * Sends one answer to the handler, chunk by chunk, with one timer at a time and none while paused. At most one chunk is
 * made before it is due, so a reader who pauses holds back the writing too.
 */
export class Playback implements UpstreamExchange {
  readonly isSent = true
  readonly #options: PlaybackOptions
  #state: 'running' | 'paused' | 'closed' = 'running'
  #cancelTimer: (() => void) | null = null
  #chunks: Iterator<string | Buffer> | null = null
  #ahead: IteratorResult<string | Buffer> | null = null

  constructor(options: PlaybackOptions) {
    this.#options = options
    this.#arm()
  }

  pause(): void {
    if (this.#state !== 'running') return
    this.#state = 'paused'
    this.#disarm()
  }

  resume(): void {
    if (this.#state !== 'paused') return
    this.#state = 'running'
    this.#arm()
  }

  abort(): void {
    this.#close()
  }

  /** Ends it as a broken connection would; nothing when it is over already. */
  fail(fault: Fault): void {
    if (this.#close()) this.#options.handler.onFailure(fault)
  }

  /** Whether this call closed it. */
  #close(): boolean {
    if (this.#state === 'closed') return false
    this.#state = 'closed'
    this.#disarm()
    this.#options.onClosed()
    return true
  }

  #arm(): void {
    if (this.#state !== 'running' || this.#cancelTimer !== null) return
    const isChunkNext = this.#ahead !== null && this.#ahead.done !== true
    this.#cancelTimer = this.#options.schedule(() => this.#step(), isChunkNext ? this.#options.delayMs : 0)
  }

  #disarm(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  /** Makes the next call on the handler; what the handler throws is not caught here. */
  #step(): void {
    this.#cancelTimer = null
    let call: () => void
    try {
      call = this.#nextCall()
    } catch (cause) {
      // A defect of the simulator costs one answer and never the process, which is the gateway's too.
      this.fail(
        new Fault('upstream_malformed', 'The model’s answer could not be written. Try another model.', { cause }),
      )
      return
    }
    call()
    this.#arm()
  }

  #nextCall(): () => void {
    const { answer, handler } = this.#options
    if (this.#chunks === null) {
      const { status, contentType, chunks } = answer()
      this.#chunks = chunks[Symbol.iterator]()
      this.#ahead = this.#chunks.next()
      return () => handler.onHead(status, { 'content-type': contentType })
    }
    const due = this.#ahead
    if (due === null || due.done === true) return () => this.#close() && handler.onEnd()
    this.#ahead = this.#chunks.next()
    const chunk = typeof due.value === 'string' ? Buffer.from(due.value) : due.value
    return () => handler.onData(chunk)
  }
}
