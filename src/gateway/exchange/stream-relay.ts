import type { Fault } from '../../core/faults.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { Attempts } from './attempts.ts'
import type { ExchangeContext } from './context.ts'
import type { ClientStream } from './client-stream.ts'
import { StreamBudget } from './stream-budget.ts'
import type { ExchangeTimes } from './times.ts'
import { UnreadBytes } from './unread-bytes.ts'
import { CutAnswer } from './used-when-cut.ts'

/** A stream is looked at in pieces of this size at most, so that what comes in one burst cannot pass what is held. */
const PIECE_BYTES = 4_096
/** The size of pieces near the end of what is held: some ten words. */
const FINE_PIECE_BYTES = 512

interface RelayParts {
  readonly attempts: Attempts
  readonly clientStream: ClientStream
  readonly times: ExchangeTimes
}

/** How a passage ends. Each of them stops it. */
interface RelayCallbacks {
  /** All of it came, or as much as will. */
  readonly ended: (reader: StreamReader) => void
  /** The upstream sent what cannot be carried to the client. */
  readonly unreadable: (error: unknown) => void
  /** The client has all of its answer, and there is nothing to read the upstream on for, or no time left. */
  readonly cutHere: (reader: StreamReader) => void
  /** The funds are at their end. */
  readonly outOfFunds: (fault: Fault, reader: StreamReader) => void
}

/** The stream of one exchange on its way from the upstream to the client, piece by piece as long as money is held for it. */
export class StreamRelay {
  readonly #joined: RelayParts
  readonly #outcomes: RelayCallbacks
  readonly #clock: ExchangeContext['parts']['clock']
  readonly #budget: StreamBudget
  readonly #cut: CutAnswer
  readonly unread = new UnreadBytes()
  /** null: nothing passes. */
  #reader: StreamReader | null = null

  constructor(context: ExchangeContext, joined: RelayParts, outcomes: RelayCallbacks) {
    this.#joined = joined
    this.#outcomes = outcomes
    this.#clock = context.parts.clock
    this.#budget = new StreamBudget(context, () => this.#holdAnswered())
    this.#cut = new CutAnswer(context)
  }

  /** The stream stands still until more is held. */
  get isWaiting(): boolean {
    return this.#budget.isWaitedFor
  }

  begin(reader: StreamReader): void {
    this.#reader = reader
  }

  /** Nothing passes any more. What is unread stays. */
  stop(): void {
    this.#reader = null
  }

  /** Called from time to time: the upstream may send nothing any more. */
  tick(): void {
    if (this.#reader !== null && this.#cut.isOver(this.#reader)) this.#outcomes.cutHere(this.#reader)
  }

  /** More came from the upstream. `elapsed`: of `Clock.elapsed`, now. */
  take(chunk: Buffer, elapsed: number): void {
    this.unread.add(chunk)
    this.goOn(elapsed)
  }

  /** Passes on what has come as far as money is held for it, and ends where that was all. */
  goOn(elapsed: number): void {
    for (let reader = this.#reader; reader !== null && !this.#budget.isWaitedFor; reader = this.#reader) {
      const piece = this.unread.take(this.#budget.isNearItsEnd ? FINE_PIECE_BYTES : PIECE_BYTES)
      if (piece === null) {
        if (reader.ended || this.#joined.attempts.isDone) this.#outcomes.ended(reader)
        return
      }
      this.#pass(piece, reader, elapsed)
      // What stands behind the end belongs to it.
      if (reader.ended || this.#reader !== reader) continue
      if (this.#cut.isOver(reader)) this.#outcomes.cutHere(reader)
      else this.#keepWithinHold(reader)
    }
  }

  #pass(piece: Buffer, reader: StreamReader, elapsed: number): void {
    let bytes: Buffer | null
    try {
      bytes = reader.push(piece)
    } catch (error) {
      return this.#outcomes.unreadable(error)
    }
    if (reader.hasBegun) this.#joined.times.heard(elapsed)
    // A stream that is an error and nothing else is not an answer.
    if (reader.hasBegun && !reader.ended) this.#joined.attempts.answered()
    if (bytes === null) return
    // Nothing of it went out, so another target can still give the answer.
    if (reader.hasFailed && !this.#joined.clientStream.hasForwarded) return
    this.#joined.attempts.passed(bytes)
    this.#joined.clientStream.send(bytes, elapsed)
  }

  /** What the stream may write is what money is held for: more is held in time, or it ends there. */
  #keepWithinHold(reader: StreamReader): void {
    if (this.#reader !== reader) return
    const verdict = this.#budget.look(reader)
    if (verdict === 'enough') return
    if (verdict === 'wait') this.#joined.attempts.pause()
    else this.#outcomes.outOfFunds(verdict, reader)
  }

  #holdAnswered(): void {
    const reader = this.#reader
    if (reader === null) return
    this.#keepWithinHold(reader)
    if (!this.#budget.isWaitedFor) this.goOn(this.#clock.elapsed())
    // Last, because what had waited comes at once and may end the stream.
    const goesOn = this.#reader === reader && !this.#budget.isWaitedFor
    if (goesOn && !this.#joined.times.isPaused) this.#joined.attempts.resume()
  }
}
