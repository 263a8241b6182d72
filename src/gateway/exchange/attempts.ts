import type { Fault } from '../../core/faults.ts'
import { CALLS_LIMIT, HELD_CALLS } from '../../core/limits.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { StoredAnswer, UpstreamError } from '../../protocols/protocol.ts'
import type { Target, Upstream } from '../../routing/catalog.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { isLostConnection } from '../../upstreams/connection-error.ts'
import type { UpstreamHandler } from '../../upstreams/upstream-client.ts'
import { asFault, faultOfChoice, faultOfNoAnswer, mayHelpElsewhere } from '../upstream-faults.ts'
import { Attempt, type AttemptEnding } from './attempt.ts'
import { raiseReservation, needsLargerReservation, fallbacksOf, switchGroup, reserveInGroup } from './reservations.ts'
import { beginsSoon, mayBeSentAgain, noteShadow, type Sending, sendingTo } from './sending.ts'
import { TargetWait } from './times.ts'
import type { ExchangeState } from './state.ts'
import { crossToOrg, faultToShow, noteOrgFailure, rememberAnswered, rememberPassed } from './org-binding.ts'
import { Hedge, hedgeAfterMsOf } from './hedge.ts'
import { learnFromAnswer, learnFromRefusal, mayGoOn, noteAsked, takeAgain } from './refusal-learning.ts'
import { mayTryMore, planNext, UntriedTargets } from './plan.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import type { GroupRoute } from '../request/prepared.ts'

/** How long an upstream may take to close an answer of which the last event has come. */
const CLOSING_MS = 1_000

/** Who gets what comes of the attempts: of one at a time. */
export interface AttemptHandler extends UpstreamHandler {
  /** Another one takes the place of the one that was heard so far, of which nothing has gone to the client. */
  onReplaced(): void
}

/** The attempts of one request at its targets: one after the other, but for a hedge beside one that lets wait. */
export class Attempts {
  /** The upstream's part of the answer is whole, so that its connection can be used again. */
  isDone = false
  readonly #state: ExchangeState
  readonly #handler: AttemptHandler
  readonly #untried: UntriedTargets
  readonly #wait = new TargetWait()
  #current: Attempt | null = null
  /** null: no hedge is sent. */
  readonly #hedge: Hedge | null

  constructor(state: ExchangeState, handler: AttemptHandler) {
    this.#state = state
    this.#handler = handler
    this.#untried = new UntriedTargets(state.request, state.parts.random, fallbacksOf(state))
    state.noteRouting(this.#untried.notes)
    const { reservation, chosen } = state.request
    const afterMs = reservation === null ? null : hedgeAfterMsOf(chosen.model, state.trace.wire)
    this.#hedge = afterMs === null ? null : this.#hedgeAfter(afterMs)
  }

  /** The upstream being tried; null: none is. */
  get upstream(): Upstream | null {
    return this.#current?.inUse.upstream ?? null
  }

  /** Whether the first event of the current attempt is to be expected soon. */
  get beginsSoon(): boolean {
    return this.#current !== null && beginsSoon(this.#state, this.#current.candidate.health)
  }

  /** The attempt whose answer is waited for, or goes to the client; null: none was made. */
  get current(): Attempt | null {
    return this.#current
  }

  /** The Fault for an error answer of the one being tried. */
  refusal(body: Buffer, status: number): Fault {
    const fault = this.#current?.refusal(body, status) ?? faultOfNoAnswer()
    const hasHedge = (this.#hedge?.candidate ?? null) !== null
    const isOver = hasHedge || !mayTryMore(this.#state, this.#state.parts.clock.elapsed())
    if (this.#current !== null) learnFromRefusal(this.#state, this.#current, { isOver })
    return fault
  }

  /** The Fault for an answer of the one being tried that came with a good status and says that it failed. */
  failure(error: UpstreamError): Fault {
    return this.#current?.failure(error) ?? faultOfNoAnswer()
  }

  /** How the answer of the one being tried is carried; null before the first. */
  get adapter(): ResponseAdapter | null {
    return this.#current?.adapter ?? null
  }

  /** The id of the upstream being tried, where its answer goes to the client with its own ids. */
  get sameWireUpstreamId(): string | undefined {
    return this.adapter?.isSameWire === true ? this.upstream?.id : undefined
  }

  /**
   * Tries the next target that can carry the request, or waits for one that rests for a moment; false when there is none, or
   * enough were tried. The handler gets what comes of a wait. A hedge that is under way when the other attempt failed is the next.
   */
  next(): boolean {
    const { parts } = this.#state
    const now = parts.clock.elapsed()
    const again = takeAgain(this.#state)
    const hedged = this.#hedge?.take() ?? null
    if (hedged !== null) {
      this.#turnTo(hedged)
      this.#hedge?.passOn(this.#handler)
      return true
    }
    if (again !== null && this.#ask(again, { isAgain: true })) return true
    for (;;) {
      const step = planNext(this.#state, this.#untried, now)
      switch (step.kind) {
        case 'stop':
          return false
        case 'reserve_in_group':
          return this.#reserveInGroupFirst(step.group)
        case 'raise_reservation':
          return this.#raiseReservationFirst(step.candidate)
        case 'wait':
          if (this.#waitFor(step)) return true
          if (!this.#untried.leaveOrg()) return false
          break
        case 'send':
          if (this.#ask(step.candidate)) return true
          this.#untried.cannotCarry(step.candidate)
      }
    }
  }

  /** Why there was none to try, before any was: that of the one that comes back first, with its time. */
  get restingFault(): Fault {
    const { parts, request } = this.#state
    const now = parts.clock.elapsed()
    const choice = this.#untried.choose(now, { isRetry: false })
    const { lacksCredentials } = this.#untried
    return faultOfChoice(choice, { now, callerId: request.caller.account.id, lacksCredentials })
  }

  #waitFor({ candidate, at }: { candidate: Candidate; at: number }): boolean {
    const { clock } = this.#state.parts
    const isWaiting = this.#wait.until(at - clock.elapsed(), candidate.upstream, () => {
      if (!this.next()) this.#handler.onFailure(this.restingFault)
    })
    if (isWaiting) this.#state.times.waits()
    return isWaiting
  }

  /** What the request may cost in the group is held before it goes on there. */
  #reserveInGroupFirst(group: GroupRoute): true {
    let isHeard = false
    const holding = reserveInGroup(this.#state, group.chosen)
    const then = (held: Reservation | null): void => {
      isHeard = true
      if (held === null) this.#untried.exclude(group)
      else {
        switchGroup(this.#state, group, held)
        this.#untried.switchTo(group)
      }
      if (!this.next()) this.#handler.onFailure(this.#state.failedWith ?? this.restingFault)
    }
    this.#wait.forAnswer(holding, then, (error) => this.#handler.onFailure(asFault(error)))
    const before = this.#state.request.reservation
    void holding.then((held) => {
      if (!isHeard && held !== null && held !== before) held.release('never_sent')
      return held
    }, noValue)
    return true
  }

  /**
   * Raises the reservation before a candidate is asked that may cost more. Where there is no money, or the database is away,
   * the request goes on to a target that needs none.
   */
  #raiseReservationFirst(candidate: Candidate): true {
    const then = (isRaised: boolean, missing: Fault | null): void => {
      if (!isRaised) this.#untried.cannotCarry(candidate)
      if (!this.next()) this.#handler.onFailure(this.#state.failedWith ?? missing ?? this.restingFault)
    }
    const failed = (error: unknown): void => {
      const fault = asFault(error)
      if (fault.code === 'internal') this.#handler.onFailure(fault)
      else then(false, fault)
    }
    this.#wait.forAnswer(raiseReservation(this.#state), (isRaised) => then(isRaised, null), failed)
    return true
  }

  #ask(candidate: Candidate, { isAgain = false } = {}): boolean {
    const { parts } = this.#state
    const sending = sendingTo(candidate, this.#state)
    if (sending === null) return false
    const now = parts.clock.elapsed()
    this.#count(sending, now, isAgain)
    this.#current?.leave()
    this.#begins(sending, now)
    this.#current = new Attempt(this.#state, sending, { handler: this.#handler, now })
    this.#hedge?.began()
    return true
  }

  #count(sending: Sending, now: number, isAgain = false): void {
    const { candidate } = sending
    if (candidate.isShadowed) noteShadow(this.#state, sending, { notes: this.#untried.notes, now })
    if (!isAgain) this.#untried.remove(candidate)
    candidate.upstream.retries.count(now, this.#state.tried > 0 && !isAgain)
    this.#state.tried += 1
    noteAsked(this.#state, candidate)
  }

  /** The answer of what was sent at `beganAt` is the one that goes to the client. */
  #begins({ candidate, adapter }: Pick<Sending, 'candidate' | 'adapter'>, beganAt: number): void {
    const { request, answer, times } = this.#state
    this.#state.noteTarget(candidate.target)
    times.attemptBegins(beganAt)
    this.isDone = false
    answer.dropped(adapter.dropped)
    const { limit, calls = null } = request.hold
    // With as many as are believed, only what the client did not bound is bounded.
    answer.bounds({ tokens: limit, calls: calls === CALLS_LIMIT ? HELD_CALLS : calls })
  }

  #hedgeAfter(afterMs: number): Hedge {
    this.#state.parts.figures.mayHedge(this.#state.request.chosen.model.name)
    return new Hedge(this.#state, afterMs, {
      spare: () => this.#spare(),
      onWin: (attempt) => {
        this.#current?.cancel({ isFirstClosed: false })
        this.#turnTo(attempt)
        this.#handler.onReplaced()
        this.#hedge?.passOn(this.#handler)
      },
      failed: (attempt, { fault, status }) => this.#close(attempt, { fault, status, isCausedByUs: false }),
    })
  }

  /** What may be sent as the hedge, by all the bounds of a retry. */
  #spare(): Sending | null {
    const { parts } = this.#state
    const now = parts.clock.elapsed()
    const current = this.#current
    if (current === null || !mayTryMore(this.#state, now)) return null
    const unaffordable = new Set<Target>()
    // Each round leaves a target out.
    for (;;) {
      const candidate = this.#untried.chooseHedge(current.candidate, now, unaffordable)
      if (candidate === null) return null
      const sending = sendingTo(candidate, this.#state)
      if (sending === null) this.#untried.cannotCarry(candidate)
      else if (needsLargerReservation(this.#state, candidate.target)) unaffordable.add(candidate.target)
      else {
        this.#untried.notes.hedged(candidate)
        this.#count(sending, now)
        return sending
      }
    }
  }

  #turnTo(attempt: Attempt): void {
    this.#current = attempt
    attempt.takesOver(this.#state.parts.clock.elapsed())
    this.#begins(attempt, attempt.beganAt)
    if (this.#state.times.isPaused) attempt.pause()
  }

  /** Cancels the hedge: the current attempt has answered, or the request is over. */
  conclude(outcome: 'lost' | 'cancelled' = 'cancelled'): void {
    this.#hedge?.cancel(outcome, { isFirstClosed: this.#current !== null && this.#current.endedAt !== null })
  }

  /** The first of a good answer came from the one being tried. */
  answered(): void {
    const current = this.#current
    current?.answered()
    if (current !== null) learnFromAnswer(this.#state, current.candidate)
  }

  /** Bytes of an answer go to the client. */
  passed(bytes: Buffer): void {
    const current = this.#current
    if (this.#hedge !== null) this.conclude('lost')
    if (current?.adapter.isSameWire === true) rememberPassed(this.#state, bytes, current.candidate)
  }

  succeeded(storedAs: StoredAnswer | null | undefined): void {
    const current = this.#current
    if (current === null) return
    rememberAnswered(this.#state, current.candidate, current.adapter.isSameWire ? storedAs : null)
  }

  /** The Fault for the caller where nothing else is tried. */
  faultToShow(fault: Fault): Fault {
    return faultToShow(this.#state, fault, { from: this.#current?.candidate ?? null, untried: this.#untried })
  }

  mayTryAgain(fault: Fault): boolean {
    if (mayGoOn(this.#state, this.#isOtherLeft) || this.#mayCross(fault)) return true
    if (!mayHelpElsewhere(fault)) return false
    if (!mayBeSentAgain(this.#state.trace.wire, { fault, isSent: this.isSent })) return false
    const current = this.#current
    const isLost = fault.code === 'upstream_unavailable' && isLostConnection(fault.cause)
    // A lone target gets a second chance, unless it had one on another connection.
    if (this.#untried.count === 0 && this.#state.tried === 1 && isLost && current !== null && !current.hasSpoken) {
      if (!current.isRepeated) this.#untried.putBack(current.candidate)
    }
    return this.#isOtherLeft
  }

  get #isOtherLeft(): boolean {
    return this.#untried.isAnyLeft || (this.#hedge?.candidate ?? null) !== null
  }

  /**
   * Whether the request goes to the organisation that can read what this one could not. A hedge that cannot read it either
   * is cancelled, so that it does not take that attempt's turn.
   */
  #mayCross(fault: Fault): boolean {
    if (this.#current === null) return false
    const way = { from: this.#current.candidate, hedge: this.#hedge?.candidate ?? null, untried: this.#untried }
    const crossing = crossToOrg(this.#state, fault, way)
    if (crossing === 'untried') this.conclude()
    return crossing !== null
  }

  /** Notes how this attempt ended, once. `status` 0: no answer came. `isCausedByUs`: the target is not to blame for it. */
  close(fault: Fault | null, status: number, { isCausedByUs = false } = {}): void {
    this.#hedge?.stop()
    if (this.#current !== null) this.#close(this.#current, { fault, status, isCausedByUs })
  }

  #close(attempt: Attempt, end: AttemptEnding): void {
    const closed = attempt.close(end)
    if (closed === null) return
    this.#state.failedWith = end.fault
    if (end.fault !== null) noteOrgFailure(this.#state, attempt.candidate, end.fault)
    if (closed.affectsOtherCredentials) this.#untried.deprioritize(attempt.candidate.target)
  }

  /** The request reached a connection of the one being tried, so that it may be billed. */
  get isSent(): boolean {
    return this.#current?.isSent === true
  }

  abort(): void {
    this.#wait.end()
    if (!this.isDone) this.#current?.abort()
    this.isDone = true
    this.#current?.leave()
  }

  abortSoon(): void {
    this.#wait.end()
    this.conclude()
    this.#current?.leave()
    if (this.isDone) return
    // The end of the upstream's answer is on its way: its connection is worth waiting a moment for.
    setTimeout(() => this.abort(), CLOSING_MS).unref()
  }
}

function noValue(): void {}
