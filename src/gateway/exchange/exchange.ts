import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../core/faults.ts'
import { ANSWER_LIMIT_BYTES, ERROR_ANSWER_LIMIT_BYTES } from '../../core/limits.ts'
import type { StreamEnd, StreamReader } from '../../protocols/protocol.ts'
import { isBlank } from '../../core/blank-bytes.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { faultOfCut, isReadAsStream } from './answer-form.ts'
import type { ExchangeContext, RecordedEnd } from './context.ts'
import { type AttemptHandler, Attempts } from './attempts.ts'
import { ClientStream } from './client-stream.ts'
import { ClientDisconnect } from './client-disconnect.ts'
import { earlyFinishOf } from './stream-budget.ts'
import { StreamRelay } from './stream-relay.ts'
import { ExchangeSettlement } from './settlement.ts'
import { ExchangeTimes } from './times.ts'
import { usedBy, usedByAnswer } from './request-cost.ts'
import { usedSoFar, usedWhenCut } from './used-when-cut.ts'
import type { OpenRequest } from '../../metering/usage/open-request.ts'
import type { RunningRequest } from '../running-requests.ts'
import {
  asFault,
  brokenOff,
  contentTypeOf,
  faultOfNoAnswer,
  isGood,
  jsonType,
  lacksEndpoint,
} from '../upstream-faults.ts'
import { faultOf, openRequestOf } from '../request/record.ts'

const COMPLETED = { outcome: 'completed', fault: null, httpStatus: 200 } as const

/** Where a request stands between being admitted and being over. */
type Phase =
  /** Sent; the upstream's status has not come yet. */
  | 'waiting'
  /** The answer comes as a stream and goes on to the client. */
  | 'streaming'
  /** The answer comes whole, or is an error: it is collected. */
  | 'collecting'
  /** The client hung up; the upstream is read on for its usage. */
  | 'left'
  /** Everything came; the books are being written. */
  | 'settling'
  | 'over'

/**
 * One admitted request on its way: sends it to one target after another until one answers, passes the answer on as it
 * comes, and keeps its last bytes back until the books are written. However it ends, the reservation is closed once.
 */
export class Exchange implements AttemptHandler, RunningRequest {
  readonly caller
  readonly #context: ExchangeContext
  readonly #attempts: Attempts
  readonly #settlement: ExchangeSettlement
  readonly #times: ExchangeTimes
  #phase: Phase = 'waiting'
  /** Among the running requests. */
  #place: number | null = null
  /** Opened when there is a stream: see `#openReader`. */
  #reader: StreamReader | null = null
  #status = 0
  #contentType = 'application/json'
  readonly #collected = new CollectedBytes()
  readonly #clientStream: ClientStream
  readonly #disconnect: ClientDisconnect
  readonly #relay: StreamRelay

  constructor(context: ExchangeContext) {
    const { prepared, parts } = context
    this.caller = prepared.caller
    this.#context = context
    this.#times = new ExchangeTimes(parts.clock.elapsed(), parts.idleTimeoutMs, prepared.chosen.model.serving)
    this.#attempts = new Attempts(context, this.#times, this)
    this.#settlement = new ExchangeSettlement(context, this.#attempts)
    this.#clientStream = new ClientStream(context, this.#times, () => this.#openReader())
    this.#disconnect = new ClientDisconnect(context, {
      attempts: this.#attempts,
      settlement: this.#settlement,
      over: () => this.#over(),
    })
    this.#relay = new StreamRelay(
      context,
      { attempts: this.#attempts, clientStream: this.#clientStream, times: this.#times },
      {
        ended: (reader) => this.#streamEnded(reader),
        unreadable: (error) => this.#unreadable(error),
        cutHere: (reader) => this.#finishEarly(null, reader),
        outOfFunds: (fault, reader) => this.#finishEarly(fault, reader),
      },
    )
  }

  start(): void {
    const { parts, answer } = this.#context
    this.#place = parts.running.add(this)
    answer.onPressure(
      () => {
        this.#times.pause(parts.clock.elapsed())
        this.#attempts.pause()
      },
      () => {
        this.#times.resume(parts.clock.elapsed())
        if (!this.#relay.isWaiting) this.#attempts.resume()
      },
    )
    if (!this.#begin()) this.#fail(this.#attempts.restingFault)
  }

  get startedAt(): number {
    return this.#context.trace.startedAt
  }

  describe(): OpenRequest {
    return openRequestOf(this.#context.trace, this.caller)
  }

  /** The client's connection closed. */
  clientGone(): void {
    if (this.#phase === 'settling' || this.#phase === 'over' || this.#phase === 'left') return
    const isCollecting = this.#phase === 'collecting'
    this.#attempts.conclude()
    this.#enter('left')
    this.#disconnect.begin({
      status: this.#status,
      reader: this.#reader,
      collected: isCollecting ? this.#collected : null,
      unread: this.#relay.unread,
      hasForwarded: this.#clientStream.hasForwarded,
    })
  }

  cut(fault: Fault): void {
    if (this.#phase === 'settling' || this.#phase === 'over') return
    if (this.#phase === 'left') return this.#disconnect.settle()
    this.#attempts.close(null, this.#status)
    this.#attempts.abort()
    this.#settleCutShort(fault, () => this.#clientStream.sendFault(fault))
  }

  tick(elapsed: number): void {
    if (this.#phase === 'over') return
    if (this.#phase === 'left') return this.#disconnect.tick(elapsed)
    this.#relay.tick()
    const overdue = this.#phase === 'settling' ? null : this.#times.overdue(elapsed, this.#attempts)
    if (overdue !== null) {
      const fault = new Fault('upstream_timeout', overdue.message)
      // Our own limit is not a failure of the upstream: what came until then was delivered, and is paid for.
      if (overdue.isOurLimit && this.#clientStream.hasForwarded) return this.cut(fault)
      this.#attempts.abort()
      this.#attemptFailed(fault, { mayRetry: !overdue.isOurLimit })
    } else if (this.#context.prepared.head.stream) {
      this.#clientStream.keepAlive(elapsed, this.#phase === 'settling' ? null : this.#attempts.adapter)
    }
  }

  onConnected(): void {
    this.#attempts.connected()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#times.headCame(this.#context.parts.clock.elapsed())
    this.#status = status
    this.#attempts.heard(status, headers)
    this.#contentType = contentTypeOf(headers)
    const { stream: isStream } = this.#context.prepared.head
    const head = { status, contentType: this.#contentType, isStream, isMetered: this.#settlement.isMetered }
    const reader = isReadAsStream(this.#attempts.adapter, head) ? this.#openReader() : null
    if (this.#phase === 'left') {
      this.#disconnect.answered({ status, reader, collected: reader === null ? this.#collected : null })
      return
    }
    this.#enter(reader === null ? 'collecting' : 'streaming')
    if (reader !== null) this.#relay.begin(reader)
  }

  onData(chunk: Buffer): void {
    const elapsed = this.#context.parts.clock.elapsed()
    // Of a stream the first event counts, which the passage sees; of a whole answer the first byte that is not blank.
    if (this.#times.hasHeard || (this.#phase !== 'streaming' && !isBlank(chunk))) this.#times.heard(elapsed)
    else this.#times.headCame(elapsed)
    if (this.#phase === 'streaming') this.#relay.take(chunk, elapsed)
    else if (this.#phase === 'collecting') this.#collect(chunk)
    else if (this.#phase === 'left') this.#disconnect.take(chunk)
  }

  onEnd(): void {
    this.#attempts.isDone = true
    if (this.#phase === 'streaming') this.#relay.goOn(this.#context.parts.clock.elapsed())
    else if (this.#phase === 'collecting') this.#collectedAll()
    else if (this.#phase === 'left') this.#disconnect.settle()
  }

  onFailure(fault: Fault): void {
    this.#attempts.isDone = true
    if (this.#phase === 'settling' || this.#phase === 'over') return
    if (this.#phase === 'left') return this.#disconnect.broke()
    this.#context.parts.log.failure('upstream attempt failed', {
      requestId: this.#context.trace.id,
      upstream: this.#attempts.upstream?.name ?? '',
      credentialName: this.#attempts.sentTo?.credentialName ?? '',
      error: fault.cause,
    })
    if (this.#reader?.isCutHere === true) return this.#finishEarly(null, this.#reader)
    const isBroken = this.#clientStream.hasForwarded && fault.code === 'upstream_unavailable'
    this.#attemptFailed(isBroken ? brokenOff(fault.cause) : fault, { mayRetry: true })
  }

  onReplaced(): void {
    this.#enter('waiting')
    this.#status = 0
    this.#collected.clear()
    this.#reader = null
    this.#relay.unread.clear()
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#relay.stop()
  }

  /** Sends it to the next target; false when there is none left. */
  #begin(): boolean {
    this.onReplaced()
    return this.#attempts.next()
  }

  /** The upstream sent what cannot be carried to the client. */
  #unreadable(error: unknown): void {
    this.#attempts.abort()
    this.#attemptFailed(asFault(error), { mayRetry: true })
  }

  /** The funds are at their end: so is the answer, as one that is as long as was asked for. Without a fault it met a stop sequence. */
  #finishEarly(fault: Fault | null, reader: StreamReader): void {
    this.#attempts.close(null, this.#status)
    this.#attempts.abort()
    this.#enter('settling')
    const end = { outcome: 'completed', ...faultOf(fault), httpStatus: 200 } as const
    const used = fault === null ? usedWhenCut(this.#context, reader) : usedSoFar(reader)
    this.#settlement.settle(end, used, (failure, { tokens }) => {
      if (failure !== null) this.#clientStream.sendFault(failure)
      else {
        if (!this.#context.answer.hasBegun) this.#context.answer.beginStream()
        this.#context.answer.endStream(reader.finishEarly(earlyFinishOf(this.#context, tokens)))
      }
      this.#over()
    })
  }

  #streamEnded(reader: StreamReader): void {
    let end: StreamEnd
    try {
      end = reader.finish()
    } catch (error) {
      return this.#unreadable(error)
    }
    if (end.kind === 'complete') return this.#settleComplete(end, reader)
    this.#attempts.abort()
    if (end.kind === 'cut') return this.#attemptFailed(faultOfCut(reader, this.#contentType), { mayRetry: true })
    this.#attemptFailed(this.#attempts.failure(end.error), { mayRetry: true })
  }

  #settleComplete(end: StreamEnd, reader: StreamReader): void {
    const { answer } = this.#context
    this.#attempts.answered()
    this.#settlement.storedAt(this.#attempts.sameWireUpstreamId, reader.storedAs)
    this.#attempts.passed(end.held)
    this.#attempts.succeeded(reader.storedAs)
    this.#attempts.close(null, this.#status)
    this.#enter('settling')
    this.#context.trace.firstByteAt ??= this.#context.parts.clock.elapsed()
    const used = usedBy(reader)
    this.#settlement.settle(COMPLETED, used, (failure, ending) => {
      if (failure !== null) this.#clientStream.sendFault(failure)
      else {
        if (!answer.hasBegun) answer.beginStream()
        answer.endStream(end.held)
        this.#record({ isStream: true, last: end.held, ending, terms: used.terms, isStored: reader.storedAs != null })
      }
      this.#over()
    })
  }

  #collect(chunk: Buffer): void {
    const isAnswer = isGood(this.#status)
    if (this.#collected.add(chunk, isAnswer ? ANSWER_LIMIT_BYTES : ERROR_ANSWER_LIMIT_BYTES)) return
    if (isAnswer)
      return this.#giveUp('The model’s answer is larger than this gateway supports. Ask for it as a stream.')
    this.#attempts.abort()
    this.#collectedAll()
  }

  #giveUp(message: string): void {
    this.#attempts.abort()
    this.#attemptFailed(new Fault('upstream_malformed', message), { mayRetry: false })
  }

  #collectedAll(): void {
    // The head of a stream is out already, because this took so long: it cannot become a whole answer any more.
    if (isGood(this.#status) && this.#context.answer.hasBegun) {
      return this.#attemptFailed(brokenOff('the upstream answered a stream with a whole'), { mayRetry: false })
    }
    const body = this.#collected.whole()
    if (!isGood(this.#status)) {
      const { answerLocally } = this.#context
      if (answerLocally !== null && lacksEndpoint(this.#status)) {
        answerLocally()
        return this.#over()
      }
      return this.#attemptFailed(this.#attempts.refusal(body, this.#status), { mayRetry: true })
    }
    const adapter = this.#attempts.adapter
    if (!this.#settlement.isMetered || adapter === null) {
      this.#attempts.answered()
      this.#context.answer.whole(this.#contentType, body, null)
      return this.#over()
    }
    const answer = adapter.readAnswer(body)
    if (answer.kind !== 'answer') {
      const fault = answer.kind === 'failed' ? this.#attempts.failure(answer.error) : faultOfNoAnswer()
      return this.#attemptFailed(fault, { mayRetry: true })
    }
    this.#attempts.answered()
    let bytes: Buffer
    try {
      bytes = adapter.forClient(answer.rewritten ?? body, answer.usage)
    } catch (error) {
      return this.#unreadable(error)
    }
    this.#attempts.close(null, this.#status)
    this.#enter('settling')
    if (adapter.takesEitherForm) this.#contentType = jsonType(this.#contentType)
    this.#context.trace.firstByteAt = this.#context.parts.clock.elapsed()
    this.#settlement.storedAt(this.#attempts.sameWireUpstreamId, answer.storedAs)
    this.#attempts.passed(bytes)
    this.#attempts.succeeded(answer.storedAs)
    this.#settlement.settle(COMPLETED, usedByAnswer(answer), (failure, ending) => {
      if (failure !== null) this.#clientStream.sendFault(failure)
      else {
        if (ending.usageSource === 'estimated') this.#context.answer.estimated()
        this.#context.answer.whole(this.#contentType, bytes, ending.cost)
        this.#record({ isStream: false, last: bytes, ending, terms: answer.terms, isStored: answer.storedAs != null })
      }
      this.#over()
    })
  }

  #record(end: Omit<RecordedEnd, 'contentType' | 'dropped'>): void {
    const dropped = this.#attempts.adapter?.dropped ?? []
    this.#context.recording?.keep({ ...end, contentType: this.#contentType, dropped })
  }

  #attemptFailed(fault: Fault, how: { mayRetry: boolean }): void {
    // A client that let the upstream wait until it gave up has had what came, as one that hangs up has.
    const isCausedByUs =
      this.#clientStream.hasForwarded && this.#times.hasKeptUpstreamWaiting(this.#context.parts.clock.elapsed())
    this.#attempts.close(fault, this.#status, { isCausedByUs })
    if (how.mayRetry && !this.#clientStream.hasForwarded && this.#attempts.mayTryAgain(fault) && this.#begin()) return
    if (isCausedByUs) this.#settleCutShort(fault, () => this.#clientStream.sendFault(fault))
    else this.#fail(fault)
  }

  /** Ends it without an answer: what a failed request consumed is not charged. */
  #fail(cause: Fault): void {
    const fault = this.#attempts.faultToShow(cause)
    this.#settlement.withoutCharge('failed', { fault, hasBegun: this.#context.answer.hasBegun })
    this.#clientStream.sendFault(fault)
    this.#over()
  }

  #settleCutShort(fault: Fault | null, then: () => void): void {
    const reader = this.#reader
    if (!this.#clientStream.hasForwarded || !this.#settlement.isMetered || reader === null) {
      this.#settlement.withoutCharge('aborted', { fault, hasBegun: this.#context.answer.hasBegun })
      then()
      return this.#over()
    }
    this.#enter('settling')
    const end = { outcome: 'aborted', ...faultOf(fault), httpStatus: 200 } as const
    this.#settlement.settle(end, usedWhenCut(this.#context, reader), () => {
      then()
      this.#over()
    })
  }

  #over(): void {
    this.#enter('over')
    if (this.#place !== null) this.#context.parts.running.remove(this.#place)
    this.#place = null
    this.#attempts.abortSoon()
  }

  /** The reader of this attempt's stream, which also writes to the client; null on a wire that has no streams. */
  #openReader(): StreamReader | null {
    const adapter = this.#attempts.adapter
    return (this.#reader ??= adapter?.openStream?.() ?? null)
  }
}
