import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../core/faults.ts'
import type { AttemptObstacle } from '../../core/model-list-results.ts'
import { wireFacts } from '../../core/wire.ts'
import type { OutsideInput, UpstreamError } from '../../protocols/protocol.ts'
import { hintOfOtherEndpoint } from '../../protocols/other-endpoint.ts'
import { type RefusedSettings, refusedSettings } from '../../protocols/refused-settings.ts'
import { type AccountFailure, accountFailureOf } from '../../routing/account-refusals.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { ONLY_CREDENTIAL } from '../../routing/credential-settings.ts'
import type { FailureClass } from '../../routing/failure-class.ts'
import { askedRestMs, roomLeft } from '../../routing/stated-rest.ts'
import {
  LACKS_OPERATION,
  type UpstreamExchange,
  type UpstreamHandler,
  type UpstreamRequest,
} from '../../upstreams/upstream-client.ts'
import type { Attempt as NotedAttempt } from '../../metering/usage/usage-record.ts'
import type { GatewayParts } from '../parts.ts'
import type { ObservedAttempt } from '../request-observer.ts'
import {
  cleanExcerpt,
  errorExcerpt,
  upstreamRequestId,
  obstacleOf,
  redirectTarget,
  sentTwice,
  classOf,
  failureOfAttempt,
  withClientsModelName,
} from './attempt-outcome.ts'
import { statusFromErrorBody } from '../status-from-error-body.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { faultOfFailure, faultOfRefusal, isRedirect, lacksEndpoint, withoutSecretsIn } from '../upstream-faults.ts'
import type { Sending } from './sending.ts'
import type { ExchangeState } from './state.ts'
import type { ResponseAdapter } from '../request/outbound.ts'

/** OpenAI's code of 404 where it is the model that is missing. */
const UNKNOWN_MODEL = 'model_not_found'

/** What an answer that is an error says of its target. */
interface ErrorAnswer {
  readonly restMs: number | null
  readonly room: ReturnType<typeof roomLeft>
  /** What the error says of the credential or its account. */
  account: AccountFailure | null
  isOfEndpoint: boolean
  /** The status that the error would have had, where its answer has a good one. */
  readonly statusFromErrorBody?: number
}

/** How an attempt ended. `status` 0: no answer came. */
export interface AttemptEnding {
  readonly fault: Fault | null
  readonly status: number
  /** The target is not to blame for it. */
  readonly isCausedByUs: boolean
}

/** What is learned of a target from how an attempt there ended. */
interface AttemptLesson {
  readonly fault: Fault | null
  readonly status: number
  readonly failure: FailureClass | null
  /** The excerpt of the upstream's words; null: nothing is kept. */
  readonly words: string | null
  readonly why: AttemptObstacle | null
}

interface AttemptBegin {
  readonly handler: UpstreamHandler
  /** A reading of `Clock.elapsed`. */
  readonly now: number
  /** Another one is under way for the request, which it runs beside; left out: none is. */
  readonly isHedge?: boolean
}

/** One try of one request at one target: what it was sent with, what came of it, and what that says of the target. */
export class Attempt {
  readonly candidate: Candidate
  readonly inUse: UpstreamInUse
  readonly adapter: ResponseAdapter
  /** A reading of `Clock.elapsed`. */
  readonly beganAt: number
  /** Something came from it. */
  hasSpoken = false
  isAborted = false
  /** A reading of `Clock.elapsed` at its end; null: it is under way. */
  endedAt: number | null = null
  readonly #state: ExchangeState
  readonly #exchange: UpstreamExchange
  /** null: nothing follows the request. */
  readonly #observed: ObservedAttempt | null
  /** What an answer that is an error says of the target; null: none came. */
  #refusal: ErrorAnswer | null = null
  /** The upstream's error says that it has no such endpoint. */
  lacksWire = false
  /** The settings that its error refuses by name; null: none. */
  refusedByName: RefusedSettings | null = null
  /** Settings that the request is sent once more without; null: none. */
  #learnedFrom: RefusedSettings | null = null
  /** What its error said, as it came. */
  #words: string | null = null
  /** What the upstream calls it; null: nothing. */
  #requestId: string | null = null
  /** Where its answer, a redirect, points to: scheme and host; null: to nothing that can be read, or it is none. */
  #redirectsTo: string | null = null
  #hasAnswered = false
  /** Readings of `Clock.elapsed`; null: a connection was there at once, or none came; no answer came. */
  #connectedAt: number | null = null
  #headAt: number | null = null
  /** Among the requests under way there. */
  #isCounted = true
  #isHedge: boolean
  /** The moment from which no other attempt runs beside this one. */
  #aloneSince: number

  constructor(state: ExchangeState, sending: Sending, { handler, now, isHedge = false }: AttemptBegin) {
    const { candidate, inUse, client, adapter, request } = sending
    const { trace, parts } = state
    this.#state = state
    this.candidate = candidate
    this.inUse = inUse
    this.adapter = adapter
    this.beganAt = now
    this.#aloneSince = now
    this.#isHedge = isHedge
    candidate.begin(now)
    const about = { upstream: inUse.upstream, target: candidate.target, credential: this.credentialName }
    this.#observed = trace.observed?.attempted(about, now) ?? null
    const sent = this.#observed === null ? request : traced(request, this.#observed, parts)
    const { capture } = trace
    const hearing =
      capture === null ? handler : capture.attempt({ inUse, model: candidate.target.model }, sent, handler)
    this.#exchange = client.send(sent, hearing)
  }

  get credentialName(): string {
    return this.candidate.credentialName ?? ONLY_CREDENTIAL
  }

  /** The request reached a connection, so that it may be billed. */
  get isSent(): boolean {
    return this.#exchange.isSent
  }

  /** The request was given a second connection already, since the first was lost. */
  get isRepeated(): boolean {
    return this.#exchange.isRepeated === true
  }

  /** An upstream's words without what no message to the caller may hold. */
  #scrubbed(error: UpstreamError): UpstreamError {
    const names = { upstream: this.candidate.target.model, client: this.#state.request.head.model }
    const harmless = withoutSecretsIn(error, this.inUse.secrets)
    const { message } = harmless
    return message === null ? harmless : { ...harmless, message: withClientsModelName(message, names) }
  }

  /** The Fault for an answer that is an error. */
  refusal(body: Buffer, status: number): Fault {
    const { request, trace } = this.#state
    const error = this.adapter.readError(body)
    this.#words = error.message
    const insteadCall = request.isSameWireOnly ? wireFacts(trace.wire).endpoint : null
    const refused = this.#refusal
    const account = this.#accountFailure(status, error)
    if (refused !== null) {
      refused.account = account
      refused.isOfEndpoint = insteadCall !== null && lacksEndpoint(status)
    }
    this.lacksWire = this.#isWireMissing(status, error)
    const restMs = refused?.restMs ?? null
    const isTooLarge = restMs === null && refused?.room === 'all'
    if (account === null && NAMES_SETTINGS.has(status)) this.refusedByName = refusedSettings(body)
    const fault = faultOfRefusal({ status, error: this.#scrubbed(error), account, restMs, isTooLarge, insteadCall })
    return this.#hinted(fault, status)
  }

  /**
   * Whether it lacks the endpoint of a wire that the gateway chose, or says by name that it lacks that of the client's own. An
   * unknown model has the same status, and a name.
   */
  #isWireMissing(status: number, { code }: UpstreamError): boolean {
    if (!lacksEndpoint(status)) return false
    if (!this.adapter.isSameWire) return code !== UNKNOWN_MODEL
    const { isSameWireOnly, reservation } = this.#state.request
    return code === LACKS_OPERATION && !isSameWireOnly && reservation !== null
  }

  /** The request is sent once more on another wire: the target is not to blame. */
  leavesWire(): void {
    if (this.#refusal !== null) this.#refusal.isOfEndpoint = true
  }

  /** What an upstream cannot read may be a request of another endpoint, which its own words do not name. */
  #hinted(fault: Fault, status: number): Fault {
    if (fault.code !== 'upstream_rejected' || (status !== 400 && status !== 422) || !this.adapter.isSameWire)
      return fault
    const hint = hintOfOtherEndpoint(this.#state.trace.wire, this.#state.request.body)
    const { details, cause } = fault
    return hint === null ? fault : new Fault(fault.code, `${fault.message} ${hint}`, { ...details, cause })
  }

  /** The Fault for an answer that came with a good status and says that it failed. */
  failure(error: UpstreamError): Fault {
    const said = statusFromErrorBody(error)
    this.#words = error.message
    const account = this.#accountFailure(said, error)
    this.#refusal = { restMs: null, room: null, account, isOfEndpoint: false, statusFromErrorBody: said }
    return faultOfFailure(this.#scrubbed(error), account)
  }

  /** The request is sent once more without what its error refuses by name. Returns what is kept of its words. */
  learnsFrom(refused: RefusedSettings): string {
    this.#learnedFrom = refused
    return this.#wordsOf(refused)
  }

  /** What its error says of the settings that it refuses by name, for admins. */
  #wordsOf({ words, settings }: RefusedSettings): string {
    return cleanExcerpt(words, this.inUse.secrets) ?? `${settings.join(', ')} was refused`
  }

  #accountFailure(status: number, error: UpstreamError): AccountFailure | null {
    return accountFailureOf({ protocol: this.inUse.upstream.protocol, status, error })
  }

  /** A connection was waited for, and took the request. */
  connected(): void {
    this.#connectedAt = this.#state.parts.clock.elapsed()
  }

  /** The head of an answer came. */
  heard(status: number, headers: IncomingHttpHeaders): void {
    this.hasSpoken = true
    this.#headAt ??= this.#state.parts.clock.elapsed()
    this.#requestId = upstreamRequestId(headers, this.#state.trace.id)
    if (status < 300) return
    if (isRedirect(status)) this.#redirectsTo = redirectTarget(headers.location, this.inUse.upstream.baseUrl)
    const restMs = askedRestMs(status, headers, this.#state.parts.clock.now())
    this.#refusal = { restMs, room: roomLeft(headers), account: null, isOfEndpoint: false }
  }

  /** The first of a good answer came. */
  answered(): void {
    if (this.#hasAnswered) return
    this.#hasAnswered = true
    this.candidate.answered(this.beganAt, this.#state.parts.clock.elapsed())
  }

  /** Notes how it ended, once: later calls return null. Returns whether other credentials there are likely to do no better. */
  close({ fault, status, isCausedByUs }: AttemptEnding): { readonly affectsOtherCredentials: boolean } | null {
    if (this.endedAt !== null) return null
    const { parts } = this.#state
    const { inUse, credentialName } = this
    const noted = this.#noted({ fault, status })
    const said = this.#refusal?.statusFromErrorBody ?? status
    const failure = this.#failureOf(fault, said)
    const learned = this.#learnedFrom
    const kept = errorExcerpt(this.#words, { failure, secrets: inUse.secrets })
    const words = learned === null ? kept : this.#wordsOf(learned)
    const obstacle = isCausedByUs ? null : obstacleOf({ fault, status, redirectsTo: this.#redirectsTo })
    const entry = {
      ...noted,
      ...obstacle,
      ...(learned === null ? {} : { refusedSettings: learned.settings }),
      ...(words === null ? {} : { said: words }),
    }
    this.#state.noteAttempt(this.isRepeated ? sentTwice(entry) : [entry], this.#own())
    const ended = classOf(failure, { fault, status: said, isCausedByUs })
    parts.figures.attempted(inUse.upstream.name, credentialName, ended)
    this.#observed?.ended({ class: ended, status: status === 0 ? null : status }, parts.clock.elapsed())
    const why = obstacle?.why ?? null
    const affectsOtherCredentials = !isCausedByUs && this.#learn({ fault, status: said, failure, words, why })
    this.leave()
    return { affectsOtherCredentials }
  }

  /**
   * Cancels an attempt whose answer is not wanted any more, since another target was faster or the request is over. Its target has not
   * failed by that, and took at least so long. `isFirstClosed`: the one that it ran beside is noted already, and stays last.
   */
  cancel({ isFirstClosed }: { readonly isFirstClosed: boolean }): void {
    if (this.endedAt !== null) return
    const { parts } = this.#state
    const noted = { ...this.#noted({ fault: null, status: 0 }), isHedgedAway: true } as const
    this.#state.noteAttempt(this.isRepeated ? sentTwice(noted) : [noted], this.#own(), isFirstClosed)
    const now = parts.clock.elapsed()
    // Nothing is billed for an error.
    if (this.isSent && this.#refusal === null) this.#state.cancelled = { attempt: this, noted, endedAt: now }
    parts.figures.attempted(this.inUse.upstream.name, this.credentialName, 'cancelled')
    this.#observed?.ended({ class: 'cancelled', status: null }, now)
    if (!this.#hasAnswered) this.candidate.waitedFor(this.beganAt, now)
    this.leave()
    this.abort()
  }

  /** The request goes on with this attempt, since the one that it ran beside is over. */
  takesOver(now: number): void {
    this.#isHedge = false
    this.#aloneSince = now
  }

  /** Ends the attempt, and returns what the record says of it. */
  #noted({ fault, status }: Pick<AttemptEnding, 'fault' | 'status'>): NotedAttempt {
    const { trace, parts } = this.#state
    const now = parts.clock.elapsed()
    this.endedAt = now
    return {
      upstreamName: this.inUse.upstream.name,
      model: this.candidate.target.model,
      fault: fault?.code ?? null,
      status: status === 0 ? null : status,
      totalMs: Math.round(now - this.beganAt),
      atMs: Math.round(this.beganAt - trace.startedAt),
      ...(this.#connectedAt === null ? {} : { connectMs: Math.round(this.#connectedAt - this.beganAt) }),
      ...(this.#headAt === null ? {} : { headMs: Math.round(this.#headAt - this.beganAt) }),
      ...(this.adapter.leftOut.length === 0 ? {} : { leftOut: this.adapter.leftOut }),
      ...(this.#requestId === null ? {} : { requestId: this.#requestId }),
    }
  }

  /** The time that it took with no other beside it, and its credential; null: it was a hedge. */
  #own(): { readonly ms: number; readonly credentialName: string } | null {
    if (this.#isHedge || this.endedAt === null) return null
    return { ms: this.endedAt - this.#aloneSince, credentialName: this.credentialName }
  }

  #failureOf(fault: Fault | null, status: number): FailureClass | null {
    if (fault === null) return null
    const { account = null, restMs = null, room = null } = this.#refusal ?? {}
    const hasRoom = restMs === null && (room === 'some' || room === 'all')
    return failureOfAttempt({ fault, status, account, isSent: this.isSent, hasRoom })
  }

  /** What its end says of the target. Returns whether that concerns other credentials. */
  #learn(end: AttemptLesson): boolean {
    const { fault, status, failure, words, why } = end
    const { candidate, beganAt } = this
    const { request, parts } = this.#state
    if (fault === null) {
      if (this.#hasAnswered) candidate.succeeded(beganAt)
      return false
    }
    // What the request names is not there, or not to be read: a file, an earlier answer. The model may well be.
    const isOfNamed = (status === 403 || status === 404) && namesWhatIsElsewhere(request.head.outside)
    if (this.#refusal?.isOfEndpoint === true || isOfNamed) return false
    if (failure === null) {
      // It is there, and says that the request is wrong.
      if (status >= 400) candidate.isThere(beganAt)
      return false
    }
    const { restMs = null } = this.#refusal ?? {}
    const callerId = request.caller.account.id
    const about = { failure, restMs, callerId, why, ...(words === null ? {} : { said: words }) }
    candidate.failed({ beganAt, now: parts.clock.elapsed() }, about)
    return candidate.affectsOtherCredentials(failure)
  }

  /** Stops counting the attempt among those under way at its target. */
  leave(): void {
    if (!this.#isCounted) return
    this.#isCounted = false
    this.candidate.end()
  }

  pause(): void {
    this.#exchange.pause()
  }

  resume(): void {
    this.#exchange.resume()
  }

  /** Cancels it: nothing more is heard of it. */
  abort(): void {
    this.isAborted = true
    this.#exchange.abort()
  }
}

/** Statuses with which upstreams refuse what a request sets. */
const NAMES_SETTINGS: ReadonlySet<number> = new Set([400, 422])

/** The request with the attempt's own span as its parent, where an admin lets traces go on to upstreams. */
function traced(request: UpstreamRequest, { traceparent }: ObservedAttempt, { forwardsAlso }: GatewayParts) {
  if (!forwardsAlso.has('traceparent')) return request
  return { ...request, headers: { ...request.headers, traceparent } }
}

function namesWhatIsElsewhere({ kept, refers }: OutsideInput): boolean {
  return kept || refers
}
