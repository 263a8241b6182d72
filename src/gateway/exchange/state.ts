import type { IncomingHttpHeaders } from 'node:http'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import type { Fault } from '../../core/faults.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { Wire } from '../../core/wire.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { Attempt as AttemptEntry } from '../../metering/usage/usage-record.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Target } from '../../routing/catalog.ts'
import type { LearnedRefusal } from '../../routing/learned-refusals.ts'
import type { ClientAnswer } from '../answer/client-answer.ts'
import type { GatewayParts } from '../parts.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import type { GroupRoute, PreparedRequest } from '../request/prepared.ts'
import type { Ending } from '../request/record.ts'
import type { RequestTrace } from '../request/trace.ts'
import { ExchangeTimes } from './times.ts'

export interface ExchangeContext {
  readonly parts: GatewayParts
  readonly prepared: PreparedRequest
  readonly trace: RequestTrace
  readonly answer: ClientAnswer
  readonly headers: IncomingHttpHeaders
  /** Answers instead of upstreams that have no such endpoint, where the gateway can (token counts); null: they have to. */
  readonly answerLocally: (() => void) | null
  /** Records an answer that may be given again; left out: none is recorded. */
  readonly recording?: AnswerRecorder | null
}

/** The phases of an exchange between being admitted and being over, each with what is known in it alone. */
export type Phase =
  /** Sent, or waiting for a target: the upstream's status has not come yet. */
  | { readonly kind: 'waiting' }
  /** The answer comes as a stream and goes on to the client. */
  | { readonly kind: 'streaming'; readonly reader: StreamReader }
  /** The answer comes whole, or is an error: it is collected. */
  | { readonly kind: 'collecting' }
  | Draining
  /** Everything came; the books are being written. */
  | { readonly kind: 'settling'; readonly isClientGone: boolean }
  | { readonly kind: 'over' }

/** The client hung up; the upstream is read on for its usage. */
export interface Draining {
  readonly kind: 'draining'
  readonly goal: DrainGoal
  readonly at: StateAtDisconnect
  /** `Clock.elapsed` when the client hung up. */
  readonly since: number
}

/** An exchange at the moment that its client hung up, and what has come since. */
export interface StateAtDisconnect {
  /** The status of the upstream's answer; 0: none came. */
  readonly status: number
  readonly reader: StreamReader | null
  /** What came of a whole answer; null: it is none, or has not begun. */
  readonly collected: CollectedBytes | null
}

/** What an upstream is read on for: the whole usage, or the input alone where nothing else is worth waiting for. */
export type DrainGoal = 'usage' | 'input'

/** An attempt that its provider may bill though its answer was not wanted any more. */
export interface CancelledAttempt {
  readonly attempt: { readonly candidate: Candidate; readonly beganAt: number; readonly credentialName: string }
  /** What the record of the request says of it. */
  readonly noted: AttemptEntry
  /** A reading of `Clock.elapsed`. */
  readonly endedAt: number
}

/** What the request has learned from targets that refused it: `refusal-learning.ts`. */
interface RefusalLearning {
  /** The target that was asked last, and how often in a row. */
  asked: Target | null
  tries: number
  /** The candidate that is to be asked once more; null: none is. */
  again: Candidate | null
  /** Another target might take what the last one refused. */
  mayElsewhere: boolean
  /** What a target has refused, for as long as it has not answered without it. */
  unproven: {
    readonly target: Target
    readonly refusals: readonly Omit<LearnedRefusal, 'refusedAt'>[]
    readonly settings: ReadonlySet<string>
  } | null
  /** The wire that a target seems to lack, for as long as it has not answered on another. */
  missing: { readonly target: Target; readonly wire: Wire } | null
}

/** What has come of the answer of the attempt under way. */
class ReceivedAnswer {
  /** 0: no head came. */
  status = 0
  contentType = 'application/json'
  /** Reads the answer's stream and writes the client's; null: not opened, or the wire has no streams. */
  reader: StreamReader | null = null
  readonly collected = new CollectedBytes()
  readonly unread = new UnreadBytes()

  /** Opens the reader, where that was not done yet. */
  open(adapter: Pick<ResponseAdapter, 'openStream'> | null): StreamReader | null {
    return (this.reader ??= adapter?.openStream?.() ?? null)
  }

  /** Forgets all of it: another attempt takes its place. */
  clear(): void {
    this.status = 0
    this.reader = null
    this.collected.clear()
    this.unread.clear()
  }
}

/** What came of an upstream's stream and was not looked at yet, in order. */
class UnreadBytes {
  /** Apart from the rest, since a chunk is looked at before the next one comes, as a rule. */
  #next: Buffer | null = null
  readonly #later: Buffer[] = []

  add(chunk: Buffer): void {
    if (this.#next === null) this.#next = chunk
    else this.#later.push(chunk)
  }

  /** The next bytes, at most `limit` of them; null when there are none. */
  take(limit: number): Buffer | null {
    const next = this.#next
    if (next === null) return null
    if (next.length > limit) {
      this.#next = next.subarray(limit)
      return next.subarray(0, limit)
    }
    this.#next = this.#later.length === 0 ? null : (this.#later.shift() ?? null)
    return next
  }

  /** All of them; null when there are none. */
  takeAll(): Buffer | null {
    if (this.#next === null) return null
    const all = Buffer.concat([this.#next, ...this.#later])
    this.clear()
    return all
  }

  clear(): void {
    this.#next = null
    this.#later.length = 0
  }
}

/** Everything about one exchange that changes, and the only writer of its trace. */
export class ExchangeState {
  readonly parts: GatewayParts
  readonly trace: RequestTrace
  readonly answer: ClientAnswer
  readonly headers: IncomingHttpHeaders
  readonly answerLocally: (() => void) | null
  readonly times: ExchangeTimes
  readonly received = new ReceivedAnswer()
  phase: Phase = { kind: 'waiting' }
  /** Something of the model's answer went out, so no other target can give it. */
  hasForwarded = false
  /** Bytes that came since the client hung up. */
  drainedBytes = 0
  tried = 0
  /** An attempt that was cancelled while it ran beside another, for the books; null: none was, or it is in them. */
  cancelled: CancelledAttempt | null = null
  /** How the last attempt failed. */
  failedWith: Fault | null = null
  readonly learning: RefusalLearning = {
    asked: null,
    tries: 0,
    again: null,
    mayElsewhere: false,
    unproven: null,
    missing: null,
  }
  /** The request went to the organisation that can read what another could not: one more attempt for that is enough. */
  hasCrossed = false
  /** The organisation that created what the request holds was asked, and failed in a way that may pass. */
  boundOrgFailure: Fault | null = null
  readonly #prepared: PreparedRequest
  readonly #recording: AnswerRecorder | null
  #request: PreparedRequest

  constructor({ parts, prepared, trace, answer, headers, answerLocally, recording = null }: ExchangeContext) {
    this.parts = parts
    this.trace = trace
    this.answer = answer
    this.headers = headers
    this.answerLocally = answerLocally
    this.times = new ExchangeTimes(parts.clock.elapsed(), parts.idleTimeoutMs, prepared.chosen.model.serving)
    this.#prepared = prepared
    this.#recording = recording
    this.#request = prepared
  }

  /** The request as it is charged now: as it was prepared, or in a later group of its key. */
  get request(): PreparedRequest {
    return this.#request
  }

  /** False for requests that cost nothing, whatever comes of them. They leave no record. */
  get isMetered(): boolean {
    return this.#request.reservation !== null
  }

  /** Records the answer; null: none is recorded. The answer of a later group is not what the first one keeps, at its price. */
  get recording(): AnswerRecorder | null {
    return this.#request === this.#prepared ? this.#recording : null
  }

  /** Charges the request in another group, or at another multiplier, from now on, by what is reserved for it there. */
  chargeIn({ chosen, affinity }: GroupRoute, reservation: Reservation | null): void {
    this.#request = { ...this.#request, chosen, affinity, reservation }
    this.trace.chosen = chosen
  }

  /** The target that the answer for the client is expected from. */
  noteTarget(target: Target): void {
    this.trace.target = target
  }

  /** How targets are chosen, for the record. */
  noteRouting(notes: { written(): string | null }): void {
    this.trace.routing = notes
  }

  /**
   * An attempt is over: what the record says of it. `own`: the time that it took with no other beside it, and its credential;
   * null: it was a hedge. `isBeforeLast`: the attempt that it ran beside is noted already, and stays last.
   */
  noteAttempt(
    entries: readonly AttemptEntry[],
    own: { readonly ms: number; readonly credentialName: string } | null,
    isBeforeLast = false,
  ): void {
    const { trace } = this
    if (own !== null) {
      trace.upstreamMs += own.ms
      trace.credentialName = own.credentialName
    }
    trace.attempts.splice(isBeforeLast ? -1 : trace.attempts.length, 0, ...entries)
  }

  /** The first of the answer goes to the client, or has gone. */
  noteFirstByte(elapsed: number): void {
    this.trace.firstByteAt ??= elapsed
  }
}

/** What records an answer as it goes to its client. */
export interface AnswerRecorder {
  /** More of a stream went out. */
  add(bytes: Buffer): void
  /** The answer came to its good end and is in the books. */
  keep(end: RecordedEnd): void
}

/** What is known of an answer at its good end. */
export interface RecordedEnd {
  readonly contentType: string
  readonly isStream: boolean
  /** The whole body, or the last bytes of a stream. */
  readonly last: Buffer
  readonly dropped: readonly string[]
  readonly ending: Ending
  readonly terms?: ServiceTerms | undefined
  /** The upstream keeps it for later, under an id that stands in it. */
  readonly isStored: boolean
}
