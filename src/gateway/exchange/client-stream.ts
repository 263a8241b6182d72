import type { Fault } from '../../core/faults.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { ExchangeContext } from './context.ts'
import type { ExchangeTimes } from './times.ts'
import type { ResponseAdapter } from '../request/outbound.ts'

/** Some clients ask again when no header came for 120 s. */
const WHOLE_AFTER_ALL_MS = 100_000

/** What goes to the client of one exchange while its stream runs, and what a fault becomes there. */
export class ClientStream {
  /** Something of the model's answer went out, so no other target can give it. */
  hasForwarded = false
  readonly #context: ExchangeContext
  readonly #times: ExchangeTimes
  readonly #reader: () => StreamReader | null

  /** `reader`: the one that writes this attempt's stream; null on a wire that has no streams. */
  constructor(context: ExchangeContext, times: ExchangeTimes, reader: () => StreamReader | null) {
    this.#context = context
    this.#times = times
    this.#reader = reader
  }

  /** Sends bytes of the answer. `elapsed`: of `Clock.elapsed`, now. */
  send(bytes: Buffer, elapsed: number): void {
    const { answer, trace } = this.#context
    if (!answer.hasBegun) answer.beginStream()
    trace.firstByteAt ??= elapsed
    this.hasForwarded = true
    this.#times.sent(elapsed)
    answer.send(bytes)
    this.#context.recording?.add(bytes)
  }

  /** Says what went wrong: as the whole answer, or as the last event of a stream. */
  sendFault(fault: Fault): void {
    const { answer, trace } = this.#context
    const reader = answer.hasBegun ? this.#reader() : null
    if (reader !== null) answer.abort(reader.writeFault(fault, trace.id))
    else answer.fault(fault)
  }

  /**
   * Sends what keeps the client waiting, where it has waited for long. It begins the stream where nothing has come in time: then
   * other targets may still be tried, and what fails at last is an event of the stream. `asked`: who is asked now; null: it does
   * not begin at this moment.
   */
  keepAlive(elapsed: number, asked: Pick<ResponseAdapter, 'takesEitherForm'> | null): void {
    const { answer, parts, trace } = this.#context
    if (answer.hasBegun) {
      if (!this.#times.clientWaitsSince(elapsed)) return
    } else {
      if (asked === null) return
      // An answer of these wires that comes whole, as some upstreams make pictures, could not be written as a stream any more.
      const least = asked.takesEitherForm ? 0 : WHOLE_AFTER_ALL_MS
      if (elapsed - trace.startedAt < Math.max(least, parts.streamBeginsWithinMs)) return
      answer.beginStream()
    }
    const bytes = this.#reader()?.keepAlive() ?? null
    this.#times.sent(elapsed)
    if (bytes === null) answer.flushHead()
    else answer.send(bytes)
  }
}
