import type { IncomingHttpHeaders } from 'node:http'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { isBlank } from '../../core/blank-bytes.ts'
import { Fault } from '../../core/faults.ts'
import { ANSWER_LIMIT_BYTES, ERROR_ANSWER_LIMIT_BYTES } from '../../core/limits.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import type { OpenRequest } from '../../metering/usage/open-request.ts'
import type { StoredAnswer } from '../../protocols/protocol.ts'
import { type Ending, faultOf, openRequestOf } from '../request/record.ts'
import type { RunningRequest } from '../running-requests.ts'
import { brokenOff, contentTypeOf, isGood, isReadAsStream, jsonType } from '../upstream-faults.ts'
import { type AttemptHandler, Attempts } from './attempts.ts'
import {
  BROKEN,
  drain,
  drainGoalOf,
  drainPatienceMs,
  usedAfterDisconnect,
  usedSoFar,
  usedWhenCut,
} from './disconnect.ts'
import { type UsedEnding, usedBy, usedByAnswer } from './request-cost.ts'
import { ExchangeSettlement } from './settlement.ts'
import {
  type DrainGoal,
  type ExchangeContext,
  ExchangeState,
  type Phase,
  type RecordedEnd,
  type StateAtDisconnect,
} from './state.ts'
import { earlyFinishOf } from './stream-budget.ts'
import { keepAlive, readWholeAnswer, type RelayEnd, sendFault, StreamRelay, type WholeAnswer } from './stream-relay.ts'

const COMPLETED = { outcome: 'completed', fault: null, httpStatus: 200 } as const

/**
 * One admitted request on its way: sends it to one target after another until one answers, passes the answer on as it
 * comes, and keeps its last bytes back until the books are written. However it ends, the reservation is closed once.
 *
 * Each event (of the client, the upstream, the clock) is looked at by the phase that the exchange is in. All that changes is
 * in `ExchangeState`; the attempts say what became of the targets, the relay how the stream ended.
 */
export class Exchange implements AttemptHandler, RunningRequest {
  readonly caller: KeyWithOwner
  readonly #state: ExchangeState
  readonly #attempts: Attempts
  readonly #settlement: ExchangeSettlement
  readonly #relay: StreamRelay
  /** The slot among the running requests; null: it does not run. */
  #slot: number | null = null

  constructor(context: ExchangeContext) {
    this.caller = context.prepared.caller
    this.#state = new ExchangeState(context)
    this.#attempts = new Attempts(this.#state, this)
    this.#settlement = new ExchangeSettlement(this.#state, this.#attempts)
    this.#relay = new StreamRelay(this.#state, this.#attempts, () => this.#budgetAnswered())
  }

  start(): void {
    const { parts, answer, times } = this.#state
    this.#slot = parts.running.add(this)
    answer.onPressure(
      () => {
        times.pause(parts.clock.elapsed())
        this.#attempts.current?.pause()
      },
      () => {
        times.resume(parts.clock.elapsed())
        if (!this.#relay.isWaiting) this.#attempts.current?.resume()
      },
    )
    if (!this.#begin()) this.#fail(this.#attempts.restingFault)
  }

  get startedAt(): number {
    return this.#state.trace.startedAt
  }

  get id(): string {
    return this.#state.trace.id
  }

  describe(): OpenRequest {
    return openRequestOf(this.#state.trace, this.caller)
  }

  /** The client's connection closed. */
  clientGone(): void {
    const { phase, received, parts, request } = this.#state
    if (phase.kind === 'settling' || phase.kind === 'over' || phase.kind === 'draining') return
    this.#attempts.conclude()
    const { status, reader } = received
    const at = { status, reader, collected: phase.kind === 'collecting' ? received.collected : null }
    request.reservation?.leave()
    const goal = drainGoalOf(this.#state, at, this.#attempts)
    if (goal === null || !parts.drainLimit.take(this.caller.account.id)) return this.#settleDisconnect(at, null)
    this.#state.phase = { kind: 'draining', goal, at, since: parts.clock.elapsed() }
    this.#attempts.current?.resume()
    const unread = received.unread.takeAll()
    if (unread !== null) this.#drain(unread)
  }

  cut(fault: Fault): void {
    const { phase } = this.#state
    if (phase.kind === 'settling' || phase.kind === 'over') return
    if (phase.kind === 'draining') return this.#settleDisconnect(phase.at, phase.goal)
    this.#attempts.close(null, this.#state.received.status)
    this.#attempts.abort()
    this.#settleCutShort(fault)
  }

  tick(elapsed: number): void {
    const { phase, times, request } = this.#state
    if (phase.kind === 'over') return
    if (phase.kind === 'draining') {
      const patience = drainPatienceMs(this.#state, phase.at.reader)
      if (elapsed >= phase.since + patience) this.#settleDisconnect(phase.at, phase.goal)
      return
    }
    if (phase.kind === 'settling') {
      if (!phase.isClientGone && request.head.stream) this.#keepAlive(elapsed, false)
      return
    }
    const end = this.#relay.tick()
    if (end !== null) return this.#relayEnded(end)
    const overdue = times.overdue(elapsed, this.#attempts)
    if (overdue === null) {
      if (request.head.stream) this.#keepAlive(elapsed, true)
      return
    }
    const fault = new Fault('upstream_timeout', overdue.message)
    // Our own limit is not a failure of the upstream: what came until then was delivered, and is paid for.
    if (overdue.isOurLimit && this.#state.hasForwarded) return this.cut(fault)
    this.#attempts.abort()
    this.#attemptFailed(fault, { mayRetry: !overdue.isOurLimit })
  }

  onConnected(): void {
    this.#attempts.current?.connected()
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    const { times, parts, received, request, phase } = this.#state
    if (phase.kind === 'settling' || phase.kind === 'over') return
    times.headCame(parts.clock.elapsed())
    received.status = status
    received.contentType = contentTypeOf(headers)
    const { current, adapter } = this.#attempts
    current?.heard(status, headers)
    const { isMetered } = this.#state
    const head = { status, contentType: received.contentType, isStream: request.head.stream, isMetered }
    const reader = isReadAsStream(adapter, head) ? received.open(adapter) : null
    if (phase.kind === 'draining') {
      const at = { status, reader, collected: reader === null ? received.collected : null }
      if (isGood(status)) this.#state.phase = { ...phase, at }
      else this.#settleDisconnect(at, phase.goal)
      return
    }
    this.#state.phase = reader === null ? { kind: 'collecting' } : { kind: 'streaming', reader }
  }

  onData(chunk: Buffer): void {
    const { phase, times, parts } = this.#state
    const elapsed = parts.clock.elapsed()
    // Of a stream the first event counts, which the relay sees; of a whole answer the first byte that is not blank.
    if (times.hasHeard || (phase.kind !== 'streaming' && !isBlank(chunk))) times.heard(elapsed)
    else times.headCame(elapsed)
    if (phase.kind === 'streaming') this.#relayEnded(this.#relay.take(chunk, elapsed))
    else if (phase.kind === 'collecting') this.#collect(chunk)
    else if (phase.kind === 'draining') this.#drain(chunk)
  }

  onEnd(): void {
    const { phase, parts } = this.#state
    this.#attempts.isDone = true
    if (phase.kind === 'streaming') this.#relayEnded(this.#relay.relay(parts.clock.elapsed()))
    else if (phase.kind === 'collecting') this.#collectedAll()
    else if (phase.kind === 'draining') this.#settleDisconnect(phase.at, phase.goal)
  }

  onFailure(fault: Fault): void {
    const { phase, parts, trace, received, hasForwarded } = this.#state
    this.#attempts.isDone = true
    if (phase.kind === 'settling' || phase.kind === 'over') return
    if (phase.kind === 'draining') {
      // What the upstream had answered until then is paid for, as a rule; a request without an answer failed.
      const { at, goal } = phase
      return this.#settleDisconnect(at.status === 0 ? { ...at, status: BROKEN } : at, goal)
    }
    parts.log.failure('upstream attempt failed', {
      requestId: trace.id,
      upstream: this.#attempts.upstream?.name ?? '',
      credentialName: this.#attempts.current?.candidate.credentialName ?? '',
      error: fault.cause,
    })
    if (received.reader?.isCutHere === true) return this.#finishEarly({ fault: null, reader: received.reader })
    const isBroken = hasForwarded && fault.code === 'upstream_unavailable'
    this.#attemptFailed(isBroken ? brokenOff(fault.cause) : fault, { mayRetry: true })
  }

  onReplaced(): void {
    this.#state.phase = { kind: 'waiting' }
    this.#state.received.clear()
  }

  /** Sends it to the next target; false when there is none left. */
  #begin(): boolean {
    this.onReplaced()
    return this.#attempts.next()
  }

  #relayEnded(end: RelayEnd | null): void {
    if (end === null) return
    if (end.kind === 'complete') return this.#settleComplete(end)
    if (end.kind === 'early') return this.#finishEarly(end)
    this.#attempts.abort()
    this.#attemptFailed(end.fault, { mayRetry: true })
  }

  #budgetAnswered(): void {
    const { phase, parts, times } = this.#state
    if (phase.kind !== 'streaming') return
    this.#relayEnded(this.#relay.budgetAnswered(parts.clock.elapsed()))
    // Last, because what had waited comes at once and may end the stream.
    if (this.#state.phase === phase && !this.#relay.isWaiting && !times.isPaused) this.#attempts.current?.resume()
  }

  /** The funds are at their end: so is the answer, as one that is as long as was asked for. Without a fault it met a stop sequence. */
  #finishEarly({ fault, reader }: Pick<Extract<RelayEnd, { kind: 'early' }>, 'fault' | 'reader'>): void {
    const { answer, received } = this.#state
    this.#attempts.close(null, received.status)
    this.#attempts.abort()
    this.#state.phase = SETTLING
    const end = { outcome: 'completed', ...faultOf(fault), httpStatus: 200 } as const
    const used = fault === null ? usedWhenCut(this.#state, reader) : usedSoFar(reader)
    this.#settle(end, used, ({ tokens }) => {
      if (!answer.hasBegun) answer.beginStream()
      answer.endStream(reader.finishEarly(earlyFinishOf(this.#state, tokens)))
    })
  }

  /** Writes the books, and then what was kept back, or why it is withheld. */
  #settle(end: UsedEnding, used: UsedSoFar, write: (ending: Ending) => void): void {
    this.#settlement.settle(end, used, (failure, ending) => {
      if (failure === null) write(ending)
      else this.#sendFault(failure)
      this.#over()
    })
  }

  #settleComplete({ reader, held }: Extract<RelayEnd, { kind: 'complete' }>): void {
    const { answer } = this.#state
    const { storedAs } = reader
    this.#attempts.answered()
    this.#attemptSucceeded(held, storedAs)
    const used = usedBy(reader)
    this.#settle(COMPLETED, used, (ending) => {
      if (!answer.hasBegun) answer.beginStream()
      answer.endStream(held)
      this.#record({ isStream: true, last: held, ending, terms: used.terms, isStored: storedAs != null })
    })
  }

  #collect(chunk: Buffer): void {
    const { collected, status } = this.#state.received
    const isAnswer = isGood(status)
    if (collected.add(chunk, isAnswer ? ANSWER_LIMIT_BYTES : ERROR_ANSWER_LIMIT_BYTES)) return
    this.#attempts.abort()
    if (!isAnswer) return this.#collectedAll()
    const message = 'The model’s answer is larger than this gateway supports. Ask for it as a stream.'
    this.#attemptFailed(new Fault('upstream_malformed', message), { mayRetry: false })
  }

  #collectedAll(): void {
    const { received, answer } = this.#state
    const whole = readWholeAnswer(this.#state, this.#attempts)
    switch (whole.kind) {
      case 'local':
        whole.answerLocally()
        return this.#over()
      case 'failed':
        return this.#attemptFailed(whole.fault, whole)
      case 'unmetered':
        this.#attempts.answered()
        answer.whole(received.contentType, whole.body, null)
        return this.#over()
      case 'answer':
        return this.#settleWhole(whole)
    }
  }

  #settleWhole({ read, forClient }: Extract<WholeAnswer, { kind: 'answer' }>): void {
    const { received, answer } = this.#state
    const { storedAs, terms } = read
    this.#attempts.answered()
    if (this.#attempts.adapter?.takesEitherForm === true) received.contentType = jsonType(received.contentType)
    this.#attemptSucceeded(forClient, storedAs)
    this.#settle(COMPLETED, usedByAnswer(read), (ending) => {
      if (ending.usageSource === 'estimated') answer.estimated()
      answer.whole(received.contentType, forClient, ending.cost)
      this.#record({ isStream: false, last: forClient, ending, terms, isStored: storedAs != null })
    })
  }

  /** The answer is whole, and its last bytes are kept back until the books are written. */
  #attemptSucceeded(last: Buffer, storedAs: StoredAnswer | null | undefined): void {
    const state = this.#state
    this.#settlement.storedAt(this.#attempts.sameWireUpstreamId, storedAs)
    this.#attempts.passed(last)
    this.#attempts.succeeded(storedAs)
    this.#attempts.close(null, state.received.status)
    state.phase = SETTLING
    state.noteFirstByte(state.parts.clock.elapsed())
  }

  #record(end: Omit<RecordedEnd, 'contentType' | 'dropped'>): void {
    const { recording, received } = this.#state
    const dropped = this.#attempts.adapter?.dropped ?? []
    recording?.keep({ ...end, contentType: received.contentType, dropped })
  }

  #attemptFailed(fault: Fault, how: { mayRetry: boolean }): void {
    const { hasForwarded, times, parts, received } = this.#state
    // A client that let the upstream wait until it gave up has had what came, as one that hangs up has.
    const isCausedByUs = hasForwarded && times.hasKeptUpstreamWaiting(parts.clock.elapsed())
    this.#attempts.close(fault, received.status, { isCausedByUs })
    if (how.mayRetry && !hasForwarded && this.#attempts.mayTryAgain(fault) && this.#begin()) return
    if (isCausedByUs) this.#settleCutShort(fault)
    else this.#fail(fault)
  }

  /** Ends it without an answer: what a failed request consumed is not charged. */
  #fail(cause: Fault): void {
    const fault = this.#attempts.faultToShow(cause)
    this.#settlement.withoutCharge('failed', { fault, hasBegun: this.#state.answer.hasBegun })
    this.#sendFault(fault)
    this.#over()
  }

  /** Ends it with a fault after some of the answer, which is charged. */
  #settleCutShort(fault: Fault): void {
    const { received, hasForwarded, answer } = this.#state
    const then = () => {
      this.#sendFault(fault)
      this.#over()
    }
    if (!hasForwarded || !this.#state.isMetered || received.reader === null) {
      this.#settlement.withoutCharge('aborted', { fault, hasBegun: answer.hasBegun })
      return then()
    }
    this.#state.phase = SETTLING
    const end = { outcome: 'aborted', ...faultOf(fault), httpStatus: 200 } as const
    this.#settlement.settle(end, usedWhenCut(this.#state, received.reader), then)
  }

  /** More came after the client hung up, which is looked at for the usage alone. */
  #drain(bytes: Buffer): void {
    const { phase } = this.#state
    if (phase.kind !== 'draining') return
    if (drain(this.#state, phase, bytes)) this.#settleDisconnect(phase.at, phase.goal)
  }

  /** Puts into the books what is known after the client hung up, and cancels the upstream. */
  #settleDisconnect(at: StateAtDisconnect, goal: DrainGoal | null): void {
    const { parts, answer } = this.#state
    this.#state.phase = { kind: 'settling', isClientGone: true }
    if (goal !== null) parts.drainLimit.release(this.caller.account.id)
    const { isDone } = this.#attempts
    this.#attempts.close(null, isGood(at.status) ? at.status : 0)
    this.#attempts.abort()
    const { isSent, adapter } = this.#attempts
    const used = usedAfterDisconnect(this.#state, at, { goal, isDone, isSent, adapter })
    const { hasBegun } = answer
    if (used === null) {
      this.#settlement.withoutCharge('aborted', { fault: null, hasBegun })
      return this.#over()
    }
    const end = { outcome: 'aborted', fault: null, httpStatus: hasBegun ? 200 : null } as const
    this.#settlement.settle(end, used, () => this.#over())
  }

  #over(): void {
    this.#state.phase = { kind: 'over' }
    if (this.#slot !== null) this.#state.parts.running.remove(this.#slot)
    this.#slot = null
    this.#attempts.abortSoon()
  }

  #keepAlive(elapsed: number, mayBegin: boolean): void {
    keepAlive(this.#state, elapsed, { adapter: this.#attempts.adapter, mayBegin })
  }

  #sendFault(fault: Fault): void {
    sendFault(this.#state, this.#attempts.adapter, fault)
  }
}

const SETTLING: Phase = { kind: 'settling', isClientGone: false }
