import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../core/faults.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { ANSWER_LIMIT_BYTES, ERROR_ANSWER_LIMIT_BYTES, HEDGE_KEPT_BYTES } from '../../core/limits.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { UpstreamHandler } from '../../upstreams/upstream-client.ts'
import { asFault, contentTypeOf, faultOfNoAnswer, isGood } from '../upstream-faults.ts'
import { faultOfCut, isReadAsStream } from './answer-form.ts'
import { Attempt, type Sending } from './attempt.ts'
import type { ExchangeContext } from './context.ts'

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
  readonly #context: ExchangeContext
  readonly #outcomes: HedgedAttemptCallbacks
  #head: { readonly status: number; readonly headers: IncomingHttpHeaders } | null = null
  #reader: StreamReader | null = null
  readonly #kept = new CollectedBytes()
  #keptBytes = 0
  #hasEnded = false
  #isDecided = false
  #goesTo: UpstreamHandler | null = null

  /** Sends it. */
  constructor(context: ExchangeContext, sending: Sending, outcomes: HedgedAttemptCallbacks) {
    this.#context = context
    this.#outcomes = outcomes
    this.attempt = new Attempt(context, sending, { handler: this, now: context.parts.clock.elapsed(), isHedge: true })
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
    const { stream: isStream } = this.#context.prepared.head
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
    const { parts, trace } = this.#context
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
