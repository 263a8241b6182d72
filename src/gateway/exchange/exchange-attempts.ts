import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../core/faults.ts'
import { ATTEMPTS_LIMIT } from '../../core/limits.ts'
import { wireFacts } from '../../core/wire.ts'
import type { OutsideInput } from '../../protocols/outside-input.ts'
import type { StoredAnswer, UpstreamError } from '../../protocols/protocol.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { ONLY_CREDENTIAL } from '../../routing/credential-settings.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { roomLeft, statedRestMs } from '../../routing/stated-rest.ts'
import { isLostConnection } from '../../upstreams/connection-error.ts'
import type {
  UpstreamClient,
  UpstreamExchange,
  UpstreamHandler,
  UpstreamRequest,
} from '../../upstreams/upstream-client.ts'
import { withClientsModelName } from '../choice/client-model-name.ts'
import type { ResponseAdapter } from '../choice/target-adapters.ts'
import type { GatewayParts } from '../parts.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { saidStatus } from '../said-status.ts'
import {
  asFault,
  faultOfFailure,
  faultOfRefusal,
  faultOfRest,
  lacksEndpoint,
  mayHelpElsewhere,
  withoutSecretsIn,
} from '../upstream-faults.ts'
import { cover, lacksCover } from './attempt-cover.ts'
import { beginsSoon } from './begins-soon.ts'
import { willHaveGone } from './callers-patience.ts'
import type { ExchangeContext } from './exchange-context.ts'
import { ExchangeRealm } from './exchange-realm.ts'
import type { ExchangeTimes } from './exchange-times.ts'
import type { ObservedAttempt } from '../request-observer.ts'
import { classOf, failureOfAttempt } from './failure-of-attempt.ts'
import { mayBeSentAgain } from './may-be-sent-again.ts'
import { TargetWait } from './target-wait.ts'
import { UntriedTargets } from './untried-targets.ts'

/** The target that is being tried. */
interface Current {
  readonly candidate: Candidate
  readonly inUse: UpstreamInUse
  readonly adapter: ResponseAdapter
  /** Of an answer that is an error: how long it asks to be left alone, and its code. */
  refusal: Refused | null
  /** Something came from it. */
  hasSpoken: boolean
  hasAnswered: boolean
  /** Among the requests under way there. */
  isCounted: boolean
  /** null: nothing follows the request. */
  readonly observed: ObservedAttempt | null
}

/** What an answer that is an error says of its target. */
interface Refused {
  readonly restMs: number | null
  readonly room: ReturnType<typeof roomLeft>
  code: string | null
  isOfEndpoint: boolean
  /** As the error says, where its answer has a good one. */
  readonly saidStatus?: number
}

/** How long an upstream may take to close an answer of which the last event has come. */
const CLOSING_MS = 1_000

/** The tries of one request at its targets, one after the other. */
export class ExchangeAttempts {
  /** The upstream's part of the answer is whole, so that its connection can be used again. */
  isDone = false
  readonly #context: ExchangeContext
  readonly #times: ExchangeTimes
  readonly #untried: UntriedTargets
  readonly #wait: TargetWait
  readonly #realm: ExchangeRealm
  #tried = 0
  #current: Current | null = null
  #exchange: UpstreamExchange | null = null

  constructor(context: ExchangeContext, times: ExchangeTimes) {
    this.#context = context
    this.#times = times
    this.#untried = new UntriedTargets(context.prepared, context.parts.random)
    context.trace.routing = this.#untried.notes
    this.#wait = new TargetWait()
    this.#realm = new ExchangeRealm(context.prepared, context.parts.realms, context.parts.clock)
  }

  /** The one being tried. */
  get upstream(): Upstream | null {
    return this.#current?.inUse.upstream ?? null
  }

  /** Of the one being tried: see `beginsSoon`. */
  get beginsSoon(): boolean {
    return this.#current !== null && beginsSoon(this.#context, this.#current.candidate.health)
  }

  /** What it was sent to last. */
  get sentTo(): Candidate | null {
    return this.#current?.candidate ?? null
  }

  /** An upstream's words without what no message to the caller may hold. */
  scrubbed(error: UpstreamError): UpstreamError {
    if (this.#current === null) return error
    const { inUse, candidate } = this.#current
    const names = { upstream: candidate.target.model, client: this.#context.prepared.head.model }
    const harmless = withoutSecretsIn(error, inUse.secrets)
    const { message } = harmless
    return message === null ? harmless : { ...harmless, message: withClientsModelName(message, names) }
  }

  /** The Fault for an error answer of the one being tried. */
  refusal(body: Buffer, status: number): Fault {
    const { prepared, trace } = this.#context
    const error = this.#current?.adapter.readError(body) ?? { message: null, type: null, code: null, param: null }
    const insteadCall = prepared.isSameWireOnly ? wireFacts(trace.wire).endpoint : null
    const refused = this.#current?.refusal
    if (refused != null) {
      refused.code = error.code
      refused.isOfEndpoint = insteadCall !== null && lacksEndpoint(status)
    }
    const restMs = refused?.restMs ?? null
    const isTooLarge = restMs === null && refused?.room === 'all'
    return faultOfRefusal({ status, error: this.scrubbed(error), restMs, isTooLarge, insteadCall })
  }

  /** The Fault for an answer of the one being tried that came with a good status and says that it failed. */
  failure(error: UpstreamError): Fault {
    if (this.#current !== null) {
      const { code } = error
      this.#current.refusal = { restMs: null, room: null, code, isOfEndpoint: false, saidStatus: saidStatus(error) }
    }
    return faultOfFailure(this.scrubbed(error))
  }

  /** How the answer of the one being tried is carried; null before the first. */
  get adapter(): ResponseAdapter | null {
    return this.#current?.adapter ?? null
  }

  /** Of the one being tried, where its answer goes to the client with its own ids. */
  get sameWireUpstreamId(): string | undefined {
    return this.adapter?.isSameWire === true ? this.upstream?.id : undefined
  }

  /**
   * Tries the next target that can carry the request, or waits for one that rests for a moment; false when there is none, or
   * enough were tried. The handler hears what comes of a wait.
   */
  next(handler: UpstreamHandler): boolean {
    const { parts } = this.#context
    const now = parts.clock.elapsed()
    while (this.#tried < ATTEMPTS_LIMIT && !this.#isTooLate(now)) {
      const choice = this.#untried.choose(now, { isRetry: this.#tried > 0 })
      if (choice.kind === 'none') return false
      if (choice.kind === 'rest') {
        if (!willHaveGone(this.#context, choice.at) && this.#waitFor(choice, handler)) return true
        if (!this.#untried.leaveRealm()) return false
        continue
      }
      if (lacksCover(this.#context, choice.candidate.target)) return this.#coverFirst(choice.candidate, handler)
      if (this.#ask(choice.candidate, handler)) return true
      this.#untried.cannotCarry(choice.candidate)
    }
    return false
  }

  #isTooLate(now: number): boolean {
    return this.#times.isTooLateToTry(now) || (this.#tried > 0 && willHaveGone(this.#context, now))
  }

  /** Why there was none to try, before any was: that of the one that comes back first, with its time. */
  get restingFault(): Fault {
    const { parts } = this.#context
    const choice = this.#untried.choose(parts.clock.elapsed(), { isRetry: false })
    if (choice.kind !== 'rest') return new Fault('upstream_unavailable', 'No upstream can serve this model right now.')
    const now = parts.clock.elapsed()
    return faultOfRest(choice.candidate.restsBecause(now), choice.at - now)
  }

  #waitFor({ candidate, at }: { candidate: Candidate; at: number }, handler: UpstreamHandler): boolean {
    const { clock } = this.#context.parts
    return this.#wait.until(at - clock.elapsed(), candidate.upstream, () => {
      if (!this.next(handler)) handler.onFailure(this.restingFault)
    })
  }

  #coverFirst(candidate: Candidate, handler: UpstreamHandler): true {
    const then = (isCovered: boolean): void => {
      if (!isCovered) this.#untried.cannotCarry(candidate)
      if (!this.next(handler)) handler.onFailure(this.restingFault)
    }
    this.#wait.forAnswer(cover(this.#context), then, (error) => handler.onFailure(asFault(error)))
    return true
  }

  #ask(candidate: Candidate, handler: UpstreamHandler): boolean {
    const { prepared, answer, parts, trace } = this.#context
    const { target, upstream } = candidate
    const inUse = prepared.snapshot.upstreamsById.get(target.upstreamId)
    const client = inUse === undefined ? undefined : clientOf(inUse, candidate)
    const outbound = prepared.adapters.to(target, candidate.realmTag)
    if (inUse === undefined || client === undefined || outbound instanceof Fault) return false
    this.#untried.remove(candidate)
    const now = parts.clock.elapsed()
    const { request, adapter } = outbound
    upstream.retries.count(now, this.#tried > 0)
    this.#tried += 1
    this.#leave()
    candidate.begin(now)
    const credential = candidate.credentialName ?? ONLY_CREDENTIAL
    const observed = trace.observed?.attempted({ upstream: inUse.upstream, target, credential }, now) ?? null
    this.#current = {
      candidate,
      inUse,
      adapter,
      refusal: null,
      hasSpoken: false,
      hasAnswered: false,
      isCounted: true,
      observed,
    }
    trace.target = target
    this.#times.attemptBegins(now)
    this.isDone = false
    answer.dropped(adapter.dropped)
    answer.outputLimit(prepared.hold.limit)
    this.#exchange = client.send(observed === null ? request : traced(request, observed, parts), handler)
    return true
  }

  /** The head of an answer came from the one being tried. */
  heard(status: number, headers: IncomingHttpHeaders): void {
    if (this.#current === null) return
    this.#current.hasSpoken = true
    if (status < 400) return
    const restMs = statedRestMs(headers, this.#context.parts.clock.now())
    this.#current.refusal = { restMs, room: roomLeft(headers), code: null, isOfEndpoint: false }
  }

  /** The first of a good answer came from the one being tried. */
  answered(): void {
    const current = this.#current
    if (current === null || current.hasAnswered) return
    current.hasAnswered = true
    current.candidate.answered(this.#times.attemptBeganAt, this.#context.parts.clock.elapsed())
  }

  /** Bytes of an answer go to the client. */
  passed(bytes: Buffer): void {
    const current = this.#current
    if (current?.adapter.isSameWire === true) this.#realm.passed(bytes, current.candidate)
  }

  /** An answer is whole. */
  succeeded(storedAs: StoredAnswer | null | undefined): void {
    const current = this.#current
    if (current !== null) this.#realm.succeeded(current.candidate, current.adapter.isSameWire ? storedAs : null)
  }

  /** What the caller hears of it where nothing else is tried. */
  faultToShow(fault: Fault): Fault {
    return this.#realm.faultToShow(fault, this.#current?.candidate ?? null, this.#untried)
  }

  mayTryAgain(fault: Fault): boolean {
    if (this.#current !== null && this.#realm.mayCross(fault, this.#current.candidate, this.#untried)) return true
    if (!mayHelpElsewhere(fault)) return false
    if (!mayBeSentAgain(this.#context.trace.wire, { fault, isSent: this.isSent })) return false
    const current = this.#current
    const isLost = fault.code === 'upstream_unavailable' && isLostConnection(fault.cause)
    // A kept-alive connection may be closed by the other side just as it is used: a lone target gets a second chance.
    if (this.#untried.count === 0 && this.#tried === 1 && isLost && current !== null && !current.hasSpoken) {
      this.#untried.putBack(current.candidate)
    }
    return this.#untried.count > 0
  }

  /** Notes how this attempt ended, once. `status` 0: no answer came. `isOwnDoing`: the target is not to blame for it. */
  close(fault: Fault | null, status: number, { isOwnDoing = false } = {}): void {
    const { trace, parts } = this.#context
    const current = this.#current
    if (current === null || trace.attempts.length >= this.#tried) return
    const { candidate, inUse } = current
    const totalMs = parts.clock.elapsed() - this.#times.attemptBeganAt
    trace.upstreamMs += totalMs
    const credential = candidate.credentialName ?? ONLY_CREDENTIAL
    trace.credentialName = credential
    trace.attempts.push({
      upstreamName: inUse.upstream.name,
      model: candidate.target.model,
      fault: fault?.code ?? null,
      status: status === 0 ? null : status,
      totalMs: Math.round(totalMs),
    })
    const said = current.refusal?.saidStatus ?? status
    const failure = this.#failureOf(current, { fault, status: said })
    if (fault !== null) this.#realm.failed(candidate, fault)
    const ended = classOf(failure, { fault, status: said, isOwnDoing })
    parts.figures.attempted(inUse.upstream.name, credential, ended)
    current.observed?.ended({ class: ended, status: status === 0 ? null : status }, parts.clock.elapsed())
    if (!isOwnDoing) this.#learn(current, { fault, status: said, failure })
    this.#leave()
  }

  #failureOf({ refusal }: Current, { fault, status }: { fault: Fault | null; status: number }): FailureClass | null {
    if (fault === null) return null
    const { code = null, restMs = null, room = null } = refusal ?? {}
    const hasRoom = restMs === null && (room === 'some' || room === 'all')
    return failureOfAttempt({ fault, status, code, isSent: this.isSent, hasRoom })
  }

  /** What an attempt's end says of its target. */
  #learn(
    { candidate, refusal, hasAnswered }: Current,
    { fault, status, failure }: { fault: Fault | null; status: number; failure: FailureClass | null },
  ): void {
    const { prepared, parts } = this.#context
    const beganAt = this.#times.attemptBeganAt
    if (fault === null) {
      if (hasAnswered) candidate.succeeded(beganAt)
      return
    }
    // What the request names is not there, or not to be read: a file, an earlier answer. The model may well be.
    const isOfNamed = (status === 403 || status === 404) && namesWhatIsElsewhere(prepared.head.outside)
    if (refusal?.isOfEndpoint === true || isOfNamed) return
    if (failure === null) {
      // It is there, and says that the request is wrong.
      if (status < 400) return
      candidate.isThere(beganAt)
      return
    }
    const about = { failure, restMs: refusal?.restMs ?? null, callerId: prepared.caller.account.id }
    candidate.failed({ beganAt, now: parts.clock.elapsed() }, about)
    if (candidate.concernsOthers(failure)) this.#untried.putBehind(candidate.target)
  }

  /** The one being tried has no more to do with this request. */
  #leave(): void {
    if (this.#current?.isCounted !== true) return
    this.#current.isCounted = false
    this.#current.candidate.end()
  }

  /** The request reached a connection of the one being tried, so that it may be billed. */
  get isSent(): boolean {
    return this.#exchange?.isSent === true
  }

  pause(): void {
    this.#exchange?.pause()
  }

  resume(): void {
    this.#exchange?.resume()
  }

  abort(): void {
    this.#wait.end()
    if (!this.isDone) this.#exchange?.abort()
    this.isDone = true
    this.#leave()
  }

  /** The request is over. */
  abortSoon(): void {
    this.#wait.end()
    this.#leave()
    if (this.isDone) return
    // The end of the upstream's answer is on its way: its connection is worth waiting a moment for.
    setTimeout(() => this.abort(), CLOSING_MS).unref()
  }
}

/** With the attempt's own place in the trace, where an admin lets traces go on to upstreams. */
function traced(request: UpstreamRequest, { traceparent }: ObservedAttempt, { forwardsAlso }: GatewayParts) {
  if (!forwardsAlso.has('traceparent')) return request
  return { ...request, headers: { ...request.headers, traceparent } }
}

/** Sends with the candidate's credential. */
function clientOf({ pool }: UpstreamInUse, { credential }: Candidate): UpstreamClient | undefined {
  return pool.find(({ health }) => health === credential)?.client
}

function namesWhatIsElsewhere({ kept, refers }: OutsideInput): boolean {
  return kept || refers
}
