import type { Fault } from '../../core/faults.ts'
import type { Answer, StreamReader } from '../../protocols/protocol.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import { asFault, brokenOff, faultOfCut, faultOfNoAnswer, isGood, lacksEndpoint } from '../upstream-faults.ts'
import type { Attempts } from './attempts.ts'
import { cutPatienceMs } from './disconnect.ts'
import type { ExchangeState } from './state.ts'
import { StreamBudget } from './stream-budget.ts'

/** A stream is looked at in pieces of this size at most, so that what comes in one burst cannot pass what is held. */
const PIECE_BYTES = 4_096
/** The size of pieces near the end of what is held: some ten words. */
const FINE_PIECE_BYTES = 512

/** Why a stream is not relayed any further. */
export type RelayEnd =
  /** The answer is whole. `held`: its last bytes, which are not sent yet. */
  | { readonly kind: 'complete'; readonly reader: StreamReader; readonly held: Buffer }
  /** The funds are at their end, as `fault` says; null: the answer met a stop sequence, and nothing more is read of it. */
  | { readonly kind: 'early'; readonly reader: StreamReader; readonly fault: Fault | null }
  /** The upstream failed, broke off, or sent what cannot be carried to the client. */
  | { readonly kind: 'failed'; readonly fault: Fault }

/**
 * Relays the stream of one exchange from the upstream to the client, piece by piece as long as money is held for it. Each
 * method returns how that ends; null: more is to come.
 */
export class StreamRelay {
  readonly #state: ExchangeState
  readonly #attempts: Attempts
  readonly #budget: StreamBudget
  /** `Clock.elapsed` when the stream was first seen to be ended here, at a stop sequence, while its upstream goes on. */
  #cutSince: number | null = null

  /** `onBudget` is called when a step of the budget that was waited for is held, or refused. */
  constructor(state: ExchangeState, attempts: Attempts, onBudget: () => void) {
    this.#state = state
    this.#attempts = attempts
    this.#budget = new StreamBudget(state, onBudget)
  }

  /** The stream stands still until more is held. */
  get isWaiting(): boolean {
    return this.#budget.isWaitedFor
  }

  /** Called from time to time: the upstream may send nothing any more. */
  tick(): RelayEnd | null {
    const reader = this.#reader
    return reader !== null && this.#isCutOver(reader) ? { kind: 'early', reader, fault: null } : null
  }

  /** More came from the upstream. `elapsed`: of `Clock.elapsed`, now. */
  take(chunk: Buffer, elapsed: number): RelayEnd | null {
    this.#state.received.unread.add(chunk)
    return this.relay(elapsed)
  }

  /** Relays what has come as far as money is held for it. */
  relay(elapsed: number): RelayEnd | null {
    for (let reader = this.#reader; reader !== null && !this.#budget.isWaitedFor; reader = this.#reader) {
      const piece = this.#state.received.unread.take(this.#budget.isNearItsEnd ? FINE_PIECE_BYTES : PIECE_BYTES)
      if (piece === null) return reader.ended || this.#attempts.isDone ? this.#finish(reader) : null
      const end = this.#pass(piece, reader, elapsed)
      if (end !== null) return end
    }
    return null
  }

  /** A step of the budget that was waited for is held, or refused. */
  budgetAnswered(elapsed: number): RelayEnd | null {
    const reader = this.#reader
    return reader === null ? null : (this.#keepWithinBudget(reader) ?? this.relay(elapsed))
  }

  get #reader(): StreamReader | null {
    const { phase } = this.#state
    return phase.kind === 'streaming' ? phase.reader : null
  }

  #pass(piece: Buffer, reader: StreamReader, elapsed: number): RelayEnd | null {
    const state = this.#state
    let bytes: Buffer | null
    try {
      bytes = reader.push(piece)
    } catch (error) {
      return { kind: 'failed', fault: asFault(error) }
    }
    if (reader.hasBegun) state.times.heard(elapsed)
    // A stream that is an error and nothing else is not an answer.
    if (reader.hasBegun && !reader.ended) this.#attempts.answered()
    // While nothing of a failed stream went out, another target can still give the answer.
    if (bytes !== null && (!reader.hasFailed || state.hasForwarded)) {
      this.#attempts.passed(bytes)
      sendToClient(state, bytes, elapsed)
    }
    // What stands behind the end belongs to it.
    if (reader.ended || this.#reader !== reader) return null
    return this.#isCutOver(reader) ? { kind: 'early', reader, fault: null } : this.#keepWithinBudget(reader)
  }

  /** All of the stream came, or as much as will. */
  #finish(reader: StreamReader): RelayEnd {
    try {
      const end = reader.finish()
      if (end.kind === 'complete') return { kind: 'complete', reader, held: end.held }
      const fault =
        end.kind === 'cut' ? faultOfCut(reader, this.#state.received.contentType) : this.#attempts.failure(end.error)
      return { kind: 'failed', fault }
    } catch (error) {
      return { kind: 'failed', fault: asFault(error) }
    }
  }

  /** What the stream may write is what money is held for: more is held in time, or it ends there. */
  #keepWithinBudget(reader: StreamReader): RelayEnd | null {
    const verdict = this.#budget.look(reader)
    if (verdict === 'enough') return null
    if (verdict !== 'wait') return { kind: 'early', reader, fault: verdict }
    this.#attempts.current?.pause()
    return null
  }

  /** Whether the stream was ended here, and there is nothing to read its upstream on for, or the time for that is over. */
  #isCutOver(reader: StreamReader): boolean {
    if (reader.isCutHere !== true) return false
    const now = this.#state.parts.clock.elapsed()
    this.#cutSince ??= now
    return now - this.#cutSince >= cutPatienceMs(this.#state, reader)
  }
}

/** Sends bytes of the answer. `elapsed`: of `Clock.elapsed`, now. */
function sendToClient(state: ExchangeState, bytes: Buffer, elapsed: number): void {
  const { answer } = state
  if (!answer.hasBegun) answer.beginStream()
  state.noteFirstByte(elapsed)
  state.hasForwarded = true
  state.times.sent(elapsed)
  answer.send(bytes)
  state.recording?.add(bytes)
}

/** Some clients ask again when no header came for 120 s. */
const WHOLE_AFTER_ALL_MS = 100_000

/**
 * Sends what keeps the client waiting, where it has waited for long. It begins the stream where nothing has come in time: then
 * other targets may still be tried, and what fails at last is an event of the stream. `mayBegin`: false while the books are
 * written.
 */
export function keepAlive(
  { answer, parts, trace, times, received }: ExchangeState,
  elapsed: number,
  { adapter, mayBegin }: { readonly adapter: ResponseAdapter | null; readonly mayBegin: boolean },
): void {
  if (answer.hasBegun) {
    if (!times.clientWaitsSince(elapsed)) return
  } else {
    if (!mayBegin || adapter === null) return
    // An answer of these wires that comes whole, as some upstreams make pictures, could not be written as a stream any more.
    const least = adapter.takesEitherForm ? 0 : WHOLE_AFTER_ALL_MS
    if (elapsed - trace.startedAt < Math.max(least, parts.streamBeginsWithinMs)) return
    answer.beginStream()
  }
  const bytes = received.open(adapter)?.keepAlive() ?? null
  times.sent(elapsed)
  if (bytes === null) answer.flushHead()
  else answer.send(bytes)
}

/** Says what went wrong: as the whole answer, or as the last event of a stream. */
export function sendFault(
  { answer, received, trace }: ExchangeState,
  adapter: ResponseAdapter | null,
  fault: Fault,
): void {
  const reader = answer.hasBegun ? received.open(adapter) : null
  if (reader === null) answer.fault(fault)
  else answer.abort(reader.writeFault(fault, trace.id))
}

/** What an upstream's answer is that came whole. */
export type WholeAnswer =
  | { readonly kind: 'answer'; readonly read: Extract<Answer, { kind: 'answer' }>; readonly forClient: Buffer }
  /** Nothing of it is counted: it goes to the client as it is. */
  | { readonly kind: 'unmetered'; readonly body: Buffer }
  /** The upstream lacks the endpoint, and the gateway can answer in its place. */
  | { readonly kind: 'local'; readonly answerLocally: () => void }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly mayRetry: boolean }

export function readWholeAnswer(
  { received, answer, request, answerLocally }: ExchangeState,
  attempts: Attempts,
): WholeAnswer {
  const { status } = received
  if (!isGood(status)) {
    if (answerLocally !== null && lacksEndpoint(status)) return { kind: 'local', answerLocally }
    return failed(attempts.refusal(received.collected.whole(), status))
  }
  // The head of a stream is out already, because this took so long: it cannot become a whole answer any more.
  if (answer.hasBegun) return { ...failed(brokenOff('the upstream answered a stream with a whole')), mayRetry: false }
  const body = received.collected.whole()
  const { adapter } = attempts
  if (request.reservation === null || adapter === null) return { kind: 'unmetered', body }
  const read = adapter.readAnswer(body)
  if (read.kind === 'failed') return failed(attempts.failure(read.error))
  if (read.kind !== 'answer') return failed(faultOfNoAnswer())
  try {
    return { kind: 'answer', read, forClient: adapter.forClient(read.rewritten ?? body, read.usage) }
  } catch (error) {
    return failed(asFault(error))
  }
}

function failed(fault: Fault): Extract<WholeAnswer, { kind: 'failed' }> {
  return { kind: 'failed', fault, mayRetry: true }
}
