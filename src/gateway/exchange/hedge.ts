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
  /** The hedge has answered before the attempt under way did, and takes its place: what has come of it is for `passOn`. */
  readonly onWin: (attempt: Attempt) => void
  /** `status` 0: no answer came. */
  readonly failed: (attempt: Attempt, end: { readonly fault: Fault; readonly status: number }) => void
}

/**
 * A second target that is asked where the first lets wait for its answer, for models that want it: once for each request, and
 * the first of the two to say something for the client is the one whose answer it gets. What comes of it is kept until then,
 * and passed on as it comes where it is chosen. Decision 0055.
 */
export class Hedge implements UpstreamHandler {
  readonly #state: ExchangeState
  readonly #afterMs: number
  readonly #callbacks: HedgeCallbacks
  #timer: NodeJS.Timeout | null = null
  /** The attempt that was sent as the hedge; null: none was yet. */
  #sent: Attempt | null = null
  /** What was sent was neither chosen nor given up so far. */
  #isUnderWay = false
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } | null = null
  #reader: StreamReader | null = null
  readonly #kept = new CollectedBytes()
  #keptBytes = 0
  #hasEnded = false
  #goesTo: UpstreamHandler | null = null

  constructor(state: ExchangeState, afterMs: number, callbacks: HedgeCallbacks) {
    this.#state = state
    this.#afterMs = afterMs
    this.#callbacks = callbacks
  }

  began(): void {
    this.stop()
    if (this.#sent === null) this.#timer = setTimeout(() => this.#ask(), this.#afterMs)
  }

  /** No hedge is sent any more, unless that was done already. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  get #underWay(): Attempt | null {
    return this.#isUnderWay ? this.#sent : null
  }

  /** Takes the hedge that is still under way when the other attempt has failed; null: none is. */
  take(): Attempt | null {
    const attempt = this.#underWay
    if (attempt !== null) this.#over('took_over')
    return attempt
  }

  /** The candidate of the hedge under way; null: none is. */
  get candidate(): Candidate | null {
    return this.#underWay?.candidate ?? null
  }

  /** Cancels the hedge, since the first attempt was faster or the request is over. */
  cancel(outcome: 'lost' | 'cancelled', order: { readonly isFirstClosed: boolean }): void {
    this.stop()
    const attempt = this.#underWay
    if (attempt === null) return
    this.#over(outcome)
    attempt.cancel(order)
  }

  /** Passes on what is kept at once, and all that comes from now on, since the hedge was chosen. */
  passOn(handler: UpstreamHandler): void {
    this.#goesTo = handler
    const kept = this.#kept.whole()
    this.#kept.clear()
    this.#reader = null
    if (this.#head !== null) handler.onHead(this.#head.status, this.#head.headers)
    if (kept.length > 0 && this.#sent?.isAborted === false) handler.onData(kept)
    if (this.#hasEnded && this.#sent?.isAborted === false) handler.onEnd()
  }

  #ask(): void {
    this.#timer = null
    const { times, parts } = this.#state
    if (times.hasHeard) return
    const sending = this.#callbacks.spare()
    if (sending === null) return this.#count('unavailable')
    this.#isUnderWay = true
    this.#sent = new Attempt(this.#state, sending, { handler: this, now: parts.clock.elapsed(), isHedge: true })
  }

  onConnected(): void {
    if (this.#goesTo === null) this.#sent?.connected()
    else this.#goesTo.onConnected?.()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (this.#goesTo !== null) return this.#goesTo.onHead(status, headers)
    this.#head = { status, headers }
    this.#sent?.heard(status, headers)
    const adapter = this.#sent?.adapter ?? null
    const { stream: isStream } = this.#state.request.head
    const head = { status, contentType: contentTypeOf(headers), isStream, isMetered: true }
    if (isReadAsStream(adapter, head)) this.#reader = adapter?.openStream?.() ?? null
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
    parts.log.failure('upstream attempt failed', {
      requestId: trace.id,
      upstream: this.#sent?.inUse.upstream.name ?? '',
      credentialName: this.#sent?.candidate.credentialName ?? '',
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
    const attempt = this.#underWay
    if (attempt === null) return
    try {
      const end = reader.finish()
      if (end.kind === 'complete') this.#answered()
      else if (end.kind === 'cut') this.#failed(faultOfCut(reader, contentTypeOf(this.#head?.headers ?? {})))
      else this.#failed(attempt.failure(end.error))
    } catch (error) {
      this.#failed(asFault(error))
    }
  }

  #judgeWhole(): void {
    const attempt = this.#underWay
    if (attempt === null) return
    const body = this.#kept.whole()
    if (!this.#isGood) return this.#failed(attempt.refusal(body, this.#head?.status ?? 0))
    if (!this.#hasEnded) return this.#failed(faultOfNoAnswer())
    const answer = attempt.adapter.readAnswer(body)
    if (answer.kind === 'answer') this.#answered()
    else this.#failed(answer.kind === 'failed' ? attempt.failure(answer.error) : faultOfNoAnswer())
  }

  #answered(): void {
    const attempt = this.#underWay
    if (attempt === null) return
    this.#over('won')
    this.#callbacks.onWin(attempt)
  }

  #failed(fault: Fault): void {
    const attempt = this.#underWay
    if (attempt === null) return
    this.#kept.clear()
    if (!this.#hasEnded) attempt.abort()
    this.#over('failed')
    this.#callbacks.failed(attempt, { fault, status: this.#head?.status ?? 0 })
  }

  #over(outcome: HedgeOutcome): void {
    this.#isUnderWay = false
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
