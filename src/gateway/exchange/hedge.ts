import type { IncomingHttpHeaders } from 'node:http'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import type { Fault } from '../../core/faults.ts'
import { ANSWER_LIMIT_BYTES, ERROR_ANSWER_LIMIT_BYTES, HEDGE_KEPT_BYTES } from '../../core/limits.ts'
import type { Wire } from '../../core/wire.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Model } from '../../routing/catalog.ts'
import type { UpstreamHandler } from '../../upstreams/upstream-client.ts'
import type { HedgeOutcome } from '../request-figures.ts'
import { asFault, contentTypeOf, faultOfNoAnswer, isGood, faultOfCut, isReadAsStream } from '../upstream-faults.ts'
import { Attempt } from './attempt.ts'
import { isPaidByThePiece, type Sending } from './sending.ts'
import type { ExchangeState } from './state.ts'

/** What a hedge asks of the attempts of its request. */
interface HedgeCallbacks {
  /** What is to be sent as the hedge, and counted as sent; null: nothing may be. */
  readonly spare: () => Sending | null
  /** The hedge has answered before the attempt under way did, and takes its place: what has come of it, and will, goes to the client. */
  readonly onWin: (answer: HedgedAttempt) => void
  readonly failed: (attempt: Attempt, end: { readonly fault: Fault; readonly status: number }) => void
}

/**
 * A second target that is asked where the first lets wait for its answer, for models that want it: once for each request, and
 * the first of the two to say something for the client is the one whose answer it gets. Decision 0055.
 */
export class Hedge {
  readonly #state: ExchangeState
  readonly #afterMs: number
  readonly #callbacks: HedgeCallbacks
  #timer: NodeJS.Timeout | null = null
  #answer: HedgedAttempt | null = null
  #isSpent = false

  constructor(state: ExchangeState, afterMs: number, callbacks: HedgeCallbacks) {
    this.#state = state
    this.#afterMs = afterMs
    this.#callbacks = callbacks
  }

  began(): void {
    this.stop()
    if (!this.#isSpent) this.#timer = setTimeout(() => this.#ask(), this.#afterMs)
  }

  /** No hedge is sent any more, unless that was done already. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Takes the hedge that is still under way when the other attempt has failed; null: none is. */
  take(): HedgedAttempt | null {
    const answer = this.#answer
    if (answer !== null) this.#over('took_over')
    return answer
  }

  /** The candidate of the hedge under way; null: none is. */
  get candidate(): Candidate | null {
    return this.#answer?.attempt.candidate ?? null
  }

  /** Cancels the hedge, since the first attempt was faster or the request is over. */
  cancel(outcome: 'lost' | 'cancelled', order: { readonly isFirstClosed: boolean }): void {
    this.stop()
    const attempt = this.#answer?.attempt ?? null
    if (attempt === null) return
    this.#over(outcome)
    attempt.cancel(order)
  }

  #ask(): void {
    this.#timer = null
    if (this.#state.times.hasHeard) return
    const sending = this.#callbacks.spare()
    if (sending === null) return this.#count('unavailable')
    this.#isSpent = true
    this.#answer = new HedgedAttempt(this.#state, sending, {
      answered: () => this.#answered(),
      failed: (fault, status) => this.#failed({ fault, status }),
    })
  }

  #answered(): void {
    const answer = this.#answer
    if (answer === null) return
    this.#over('won')
    this.#callbacks.onWin(answer)
  }

  #failed(end: { readonly fault: Fault; readonly status: number }): void {
    const answer = this.#answer
    if (answer === null) return
    this.#over('failed')
    this.#callbacks.failed(answer.attempt, end)
  }

  #over(outcome: HedgeOutcome): void {
    this.#answer = null
    this.#count(outcome)
  }

  #count(outcome: HedgeOutcome): void {
    const { parts, request } = this.#state
    parts.figures.hedged(request.chosen.model.name, outcome)
  }
}

/**
 * How long requests of a model that cost something wait for a hedge; null: none is sent. What is paid by the piece
 * (pictures, sound) would be made and paid twice.
 */
export function hedgeAfterMsOf({ serving }: Pick<Model, 'serving'>, wire: Wire): number | null {
  return serving?.hedgeAfterMs === undefined || isPaidByThePiece(wire) ? null : serving.hedgeAfterMs
}

/** What comes of an attempt that runs beside another. At most one of them is called, once. */
interface HedgedAttemptCallbacks {
  /** Something that the client may have is there: what is kept of it is for `passOn`. */
  readonly answered: () => void
  /** `status` 0: no answer came. */
  readonly failed: (fault: Fault, status: number) => void
}

/**
 * The answer of an attempt that runs beside another: kept until it says something for the client, or fails, and passed on
 * from then as it comes, where it is the one that is chosen.
 */
export class HedgedAttempt implements UpstreamHandler {
  readonly attempt: Attempt
  readonly #state: ExchangeState
  readonly #outcomes: HedgedAttemptCallbacks
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } | null = null
  #reader: StreamReader | null = null
  readonly #kept = new CollectedBytes()
  #keptBytes = 0
  #hasEnded = false
  #isDecided = false
  #goesTo: UpstreamHandler | null = null

  constructor(state: ExchangeState, sending: Sending, outcomes: HedgedAttemptCallbacks) {
    this.#state = state
    this.#outcomes = outcomes
    this.attempt = new Attempt(state, sending, { handler: this, now: state.parts.clock.elapsed(), isHedge: true })
  }

  /** Passes on what is kept at once, and all that comes from now on, since this attempt was chosen. */
  passOn(handler: UpstreamHandler): void {
    this.#goesTo = handler
    const kept = this.#kept.whole()
    this.#kept.clear()
    this.#reader = null
    if (this.#head !== null) handler.onHead(this.#head.status, this.#head.headers)
    if (kept.length > 0 && !this.attempt.isAborted) handler.onData(kept)
    if (this.#hasEnded && !this.attempt.isAborted) handler.onEnd()
  }

  onConnected(): void {
    if (this.#goesTo === null) this.attempt.connected()
    else this.#goesTo.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (this.#goesTo !== null) return this.#goesTo.onHead(status, headers)
    this.#head = { status, headers }
    this.attempt.heard(status, headers)
    const { adapter } = this.attempt
    const { stream: isStream } = this.#state.request.head
    const head = { status, contentType: contentTypeOf(headers), isStream, isMetered: true }
    if (isReadAsStream(adapter, head)) this.#reader = adapter.openStream?.() ?? null
  }

  onData(chunk: Buffer): void {
    if (this.#goesTo !== null) return this.#goesTo.onData(chunk)
    // What is too much is judged below, with all that came of it.
    this.#kept.add(chunk, Infinity)
    this.#keptBytes += chunk.length
    if (this.#reader !== null) return this.#read(this.#reader, chunk)
    if (this.#keptBytes > (this.#isGood ? ANSWER_LIMIT_BYTES : ERROR_ANSWER_LIMIT_BYTES)) this.#judgeWhole()
  }

  onEnd(): void {
    if (this.#goesTo !== null) return this.#goesTo.onEnd()
    this.#hasEnded = true
    if (this.#reader === null) this.#judgeWhole()
    else this.#judgeEnd(this.#reader)
  }

  onFailure(fault: Fault): void {
    if (this.#goesTo !== null) return this.#goesTo.onFailure(fault)
    const { parts, trace } = this.#state
    const { inUse, candidate } = this.attempt
    parts.log.failure('upstream attempt failed', {
      requestId: trace.id,
      upstream: inUse.upstream.name,
      credentialName: candidate.credentialName ?? '',
      error: fault.cause,
    })
    this.#hasEnded = true
    this.#failed(fault)
  }

  get #isGood(): boolean {
    return this.#head !== null && isGood(this.#head.status)
  }

  #read(reader: StreamReader, chunk: Buffer): void {
    let passed: Buffer | null
    try {
      passed = reader.push(chunk)
    } catch (error) {
      return this.#failed(asFault(error))
    }
    if (reader.ended) this.#judgeEnd(reader)
    else if (passed !== null || (this.#keptBytes > HEDGE_KEPT_BYTES && !reader.isWhole)) this.#answered()
  }

  #judgeEnd(reader: StreamReader): void {
    if (this.#isDecided) return
    try {
      const end = reader.finish()
      if (end.kind === 'complete') this.#answered()
      else if (end.kind === 'cut') this.#failed(faultOfCut(reader, contentTypeOf(this.#head?.headers ?? {})))
      else this.#failed(this.attempt.failure(end.error))
    } catch (error) {
      this.#failed(asFault(error))
    }
  }

  #judgeWhole(): void {
    const body = this.#kept.whole()
    if (!this.#isGood) return this.#failed(this.attempt.refusal(body, this.#head?.status ?? 0))
    if (!this.#hasEnded) return this.#failed(faultOfNoAnswer())
    const answer = this.attempt.adapter.readAnswer(body)
    if (answer.kind === 'answer') this.#answered()
    else this.#failed(answer.kind === 'failed' ? this.attempt.failure(answer.error) : faultOfNoAnswer())
  }

  #answered(): void {
    if (this.#isDecided) return
    this.#isDecided = true
    this.#outcomes.answered()
  }

  #failed(fault: Fault): void {
    if (this.#isDecided) return
    this.#isDecided = true
    this.#kept.clear()
    if (!this.#hasEnded) this.attempt.abort()
    this.#outcomes.failed(fault, this.#head?.status ?? 0)
  }
}
