import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../core/faults.ts'
import { ANSWER_LIMIT_BYTES, ATTEMPTS_LIMIT, ERROR_ANSWER_LIMIT_BYTES } from '../core/limits.ts'
import type { StreamEnd, StreamReader } from '../protocols/protocol.ts'
import type { Target } from '../routing/catalog.ts'
import { orderTargets } from '../routing/route.ts'
import type { UpstreamExchange, UpstreamHandler } from '../upstreams/upstream-client.ts'
import type { ExchangeContext } from './exchange-context.ts'
import { ExchangeSettlement } from './exchange-settlement.ts'
import { ExchangeTimes } from './exchange-times.ts'
import { usedBy } from './final-usage.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { OpenRequest } from '../metering/open-request.ts'
import { openRequestOf } from './request-trace.ts'
import type { RunningRequest } from './running-requests.ts'
import type { UpstreamInUse } from './snapshot.ts'
import {
  asFault,
  brokenOff,
  faultOfRefusal,
  isGood,
  isLostConnection,
  mayHelpElsewhere,
  withoutSecrets,
} from './upstream-faults.ts'

/** How long an upstream may take to close an answer of which the last event has come. */
const CLOSING_MS = 1_000

/** Where a request stands between being admitted and being over. */
type Phase =
  /** Sent; the upstream's status has not come yet. */
  | 'waiting'
  /** The answer comes as a stream and goes on to the client. */
  | 'streaming'
  /** The answer comes whole, or is an error: it is collected. */
  | 'collecting'
  /** Everything came; the books are being written. */
  | 'settling'
  | 'over'

/**
 * One admitted request on its way: sends it to one target after another until one answers, passes the answer on as it
 * comes, and keeps its last bytes back until the books are written. However it ends, the reservation is closed once.
 */
export class Exchange implements UpstreamHandler, RunningRequest {
  readonly caller
  readonly #context: ExchangeContext
  readonly #targets: readonly Target[]
  readonly #settlement: ExchangeSettlement
  readonly #times: ExchangeTimes
  #phase: Phase = 'waiting'
  /** Among the running requests. */
  #place: number | null = null
  #tried = 0
  #current: { target: Target; inUse: UpstreamInUse } | null = null
  #upstream: UpstreamExchange | null = null
  /** Opened when there is a stream: see `#openReader`. */
  #reader: StreamReader | null = null
  #status = 0
  #retryAfter: string | undefined
  #contentType = 'application/json'
  #collected: Buffer[] = []
  #collectedBytes = 0
  #hasForwarded = false
  /** The upstream's part of the answer is whole, so that its connection can be used again. */
  #upstreamIsDone = false

  constructor(context: ExchangeContext) {
    const { prepared, parts } = context
    this.caller = prepared.caller
    this.#context = context
    this.#settlement = new ExchangeSettlement(context)
    this.#times = new ExchangeTimes(parts.clock.elapsed())
    const ordered = orderTargets(prepared.chosen.targets, parts.random)
    const [only] = ordered
    // A kept-alive connection may be closed by the other side just as it is used: a lone target gets a second chance.
    this.#targets = ordered.length === 1 && only !== undefined ? [only, only] : ordered
  }

  start(): void {
    this.#place = this.#context.parts.running.add(this)
    this.#context.answer.onPressure(
      () => {
        this.#times.isPaused = true
        this.#upstream?.pause()
      },
      () => {
        this.#times.isPaused = false
        this.#upstream?.resume()
      },
    )
    if (!this.#tryNext()) this.#fail(new Fault('upstream_unavailable', 'No upstream can serve this model right now.'))
  }

  get startedAt(): number {
    return this.#context.trace.startedAt
  }

  describe(): OpenRequest {
    return openRequestOf(this.#context.trace, this.caller)
  }

  /** The client's connection closed. */
  clientGone(): void {
    if (this.#phase === 'settling' || this.#phase === 'over') return
    this.#closeAttempt(null)
    this.#abortUpstream()
    this.#settleCutShort(null, () => {})
  }

  cut(fault: Fault): void {
    if (this.#phase === 'settling' || this.#phase === 'over') return
    this.#closeAttempt(null)
    this.#abortUpstream()
    this.#settleCutShort(fault, () => this.#tell(fault))
  }

  tick(elapsed: number): void {
    if (this.#phase === 'over') return
    const overdue =
      this.#phase === 'settling' ? null : this.#times.overdue(elapsed, this.#current?.inUse.upstream ?? null)
    if (overdue !== null) {
      const fault = new Fault('upstream_timeout', overdue.message)
      // Our own limit is no failure of the upstream: what came until then was delivered, and is paid for.
      if (overdue.isOurLimit && this.#hasForwarded) return this.cut(fault)
      this.#abortUpstream()
      this.#attemptFailed(fault, { mayRetry: !overdue.isOurLimit })
    } else if (this.#context.prepared.head.stream && this.#times.clientWaitsSince(elapsed)) {
      this.#keepAlive(elapsed)
    }
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#times.heard(this.#context.parts.clock.elapsed())
    this.#status = status
    // An upstream may send either twice, against the rules.
    this.#retryAfter = [headers['retry-after']].flat()[0]
    this.#contentType = [headers['content-type']].flat()[0] ?? 'application/json'
    const isStream = isGood(status) && this.#contentType.startsWith('text/event-stream') && this.#openReader() !== null
    this.#phase = isStream ? 'streaming' : 'collecting'
  }

  onData(chunk: Buffer): void {
    this.#times.heard(this.#context.parts.clock.elapsed())
    if (this.#phase === 'streaming') this.#forward(chunk, this.#reader)
    else if (this.#phase === 'collecting') this.#collect(chunk)
  }

  onEnd(): void {
    this.#upstreamIsDone = true
    if (this.#phase === 'streaming') this.#streamEnded(this.#reader)
    else if (this.#phase === 'collecting') this.#collectedAll()
  }

  onFailure(fault: Fault): void {
    this.#upstreamIsDone = true
    if (this.#phase === 'settling' || this.#phase === 'over') return
    this.#context.parts.log.failure('upstream attempt failed', {
      requestId: this.#context.trace.id,
      upstream: this.#current?.inUse.upstream.name ?? '',
      error: fault.cause,
    })
    const isBroken = this.#hasForwarded && fault.code === 'upstream_unavailable'
    this.#attemptFailed(isBroken ? brokenOff(fault.cause) : fault, { mayRetry: true })
  }

  #tryNext(): boolean {
    const { prepared, rawHeaders, upstreamPath, trace, parts } = this.#context
    if (this.#tried >= ATTEMPTS_LIMIT) return false
    const target = this.#targets[this.#tried]
    const inUse = target === undefined ? undefined : prepared.snapshot.upstreamsById.get(target.upstreamId)
    if (target === undefined || inUse === undefined) return false
    this.#tried += 1
    this.#phase = 'waiting'
    this.#current = { target, inUse }
    this.#collected = []
    this.#collectedBytes = 0
    this.#reader = null
    this.#times.attemptBegins(parts.clock.elapsed())
    this.#upstreamIsDone = false
    const body = prepared.protocol.rewriteRequest(prepared.body, prepared.head, {
      model: target.model,
      askForUsage: this.#mustAskForUsage(),
    })
    this.#upstream = inUse.client.send(
      {
        method: 'POST',
        path: upstreamPath,
        headers: forwardedHeaders(rawHeaders, trace.id),
        body,
      },
      this,
    )
    return true
  }

  #forward(chunk: Buffer, reader: StreamReader | null): void {
    if (reader === null) return
    let bytes: Buffer | null
    try {
      bytes = reader.push(chunk)
    } catch (error) {
      this.#abortUpstream()
      this.#attemptFailed(asFault(error), { mayRetry: true })
      return
    }
    if (bytes !== null) this.#send(bytes)
    if (reader.ended) this.#streamEnded(reader)
  }

  #send(bytes: Buffer): void {
    const { answer, trace, parts } = this.#context
    const elapsed = parts.clock.elapsed()
    if (!answer.hasBegun) answer.beginStream()
    trace.firstByteAt ??= elapsed
    this.#hasForwarded = true
    this.#times.sent(elapsed)
    answer.send(bytes)
  }

  #streamEnded(reader: StreamReader | null): void {
    if (reader === null) return
    const end = reader.finish()
    if (end.kind === 'complete') return this.#settleComplete(end, reader)
    this.#abortUpstream()
    if (end.kind === 'cut') return this.#attemptFailed(brokenOff('the stream ended before its end'), { mayRetry: true })
    const message = this.#scrubbed(end.error.message) ?? 'The model failed while it was answering. Try again.'
    this.#attemptFailed(new Fault('upstream_overloaded', message), { mayRetry: true })
  }

  #settleComplete(end: StreamEnd, reader: StreamReader): void {
    const { answer } = this.#context
    this.#closeAttempt(null)
    this.#phase = 'settling'
    this.#settlement.settle({ outcome: 'completed', fault: null, httpStatus: 200 }, usedBy(reader), (failure) => {
      if (failure !== null) this.#tell(failure)
      else {
        if (!answer.hasBegun) answer.beginStream()
        answer.endStream(end.held)
      }
      this.#over()
    })
  }

  #collect(chunk: Buffer): void {
    this.#collectedBytes += chunk.length
    if (isGood(this.#status)) {
      if (this.#collectedBytes <= ANSWER_LIMIT_BYTES) this.#collected.push(chunk)
      else this.#giveUp('The model’s answer is larger than this gateway carries. Ask for it as a stream.')
    } else if (this.#collectedBytes <= ERROR_ANSWER_LIMIT_BYTES) this.#collected.push(chunk)
    else {
      this.#abortUpstream()
      this.#collectedAll()
    }
  }

  #giveUp(message: string): void {
    this.#abortUpstream()
    this.#attemptFailed(new Fault('upstream_malformed', message), { mayRetry: false })
  }

  #collectedAll(): void {
    // The head of a stream is out already, because this took so long: there is no way back to a whole answer.
    if (isGood(this.#status) && this.#context.answer.hasBegun) {
      return this.#attemptFailed(brokenOff('the upstream answered a stream with a whole'), { mayRetry: false })
    }
    const body = this.#collected.length === 1 ? (this.#collected[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#collected)
    if (!isGood(this.#status)) return this.#attemptFailed(this.#refusal(body), { mayRetry: true })
    const { protocol } = this.#context.prepared
    if (!this.#settlement.isMetered) return this.#passFree(body)
    const answer = protocol.readAnswer(body)
    if (answer.kind !== 'answer') {
      const message =
        answer.kind === 'failed'
          ? (this.#scrubbed(answer.error.message) ?? 'The model failed to answer. Try again.')
          : 'The model’s answer cannot be read. Try again.'
      return this.#attemptFailed(new Fault('upstream_malformed', message, { cause: answer.kind }), { mayRetry: true })
    }
    this.#closeAttempt(null)
    this.#phase = 'settling'
    this.#context.trace.firstByteAt = this.#context.parts.clock.elapsed()
    const used = { reported: answer.usage, isFinal: true, producedText: () => answer.producedText() }
    this.#settlement.settle({ outcome: 'completed', fault: null, httpStatus: 200 }, used, (failure, cost) => {
      if (failure !== null) this.#tell(failure)
      else this.#context.answer.whole(this.#contentType, body, cost)
      this.#over()
    })
  }

  #passFree(body: Buffer): void {
    this.#context.answer.whole(this.#contentType, body, null)
    this.#over()
  }

  #refusal(body: Buffer): Fault {
    const error = this.#context.prepared.protocol.readError(body)
    const message = this.#scrubbed(error.message)
    return faultOfRefusal({ status: this.#status, error: { ...error, message }, retryAfter: this.#retryAfter })
  }

  #scrubbed(message: string | null): string | null {
    return message === null ? null : withoutSecrets(message, this.#current?.inUse.secrets ?? [])
  }

  #attemptFailed(fault: Fault, how: { mayRetry: boolean }): void {
    this.#closeAttempt(fault)
    if (how.mayRetry && !this.#hasForwarded && this.#mayTryAgain(fault) && this.#tryNext()) return
    this.#fail(fault)
  }

  #mayTryAgain(fault: Fault): boolean {
    if (!mayHelpElsewhere(fault)) return false
    const isSameTarget = this.#targets[this.#tried] === this.#current?.target
    return !isSameTarget || (fault.code === 'upstream_unavailable' && isLostConnection(fault.cause))
  }

  /** Ends it without an answer: what a failed request consumed is nobody's to pay. */
  #fail(fault: Fault): void {
    this.#settlement.withoutCharge('failed', { fault, hasBegun: this.#context.answer.hasBegun })
    this.#tell(fault)
    this.#over()
  }

  #settleCutShort(fault: Fault | null, then: () => void): void {
    const reader = this.#reader
    if (!this.#hasForwarded || !this.#settlement.isMetered || reader === null) {
      this.#settlement.withoutCharge('aborted', { fault, hasBegun: this.#context.answer.hasBegun })
      then()
      return this.#over()
    }
    this.#phase = 'settling'
    const end = { outcome: 'aborted', fault: fault?.code ?? null, httpStatus: 200 } as const
    this.#settlement.settle(end, { ...usedBy(reader), isFinal: reader.usageIsFinal }, () => {
      then()
      this.#over()
    })
  }

  #tell(fault: Fault): void {
    const { answer, trace } = this.#context
    const reader = answer.hasBegun ? this.#openReader() : null
    if (reader !== null) answer.breakOff(reader.writeFault(fault, trace.id))
    else answer.fault(fault)
  }

  #keepAlive(elapsed: number): void {
    const { answer } = this.#context
    if (!answer.hasBegun) {
      if (!this.#times.headersAreDue(elapsed)) return
      answer.beginStream()
    }
    const bytes = this.#openReader()?.keepAlive() ?? null
    this.#times.sent(elapsed)
    if (bytes === null) answer.flushHead()
    else answer.send(bytes)
  }

  #closeAttempt(fault: Fault | null): void {
    const { trace, parts } = this.#context
    if (this.#current === null || trace.attempts.length >= this.#tried) return
    trace.attempts.push({
      upstreamName: this.#current.inUse.upstream.name,
      model: this.#current.target.model,
      fault: fault?.code ?? null,
      status: this.#status === 0 ? null : this.#status,
      totalMs: Math.round(parts.clock.elapsed() - this.#times.attemptBeganAt),
    })
    this.#status = 0
  }

  #abortUpstream(): void {
    if (!this.#upstreamIsDone) this.#upstream?.abort()
    this.#upstreamIsDone = true
  }

  #over(): void {
    this.#phase = 'over'
    if (this.#place !== null) this.#context.parts.running.remove(this.#place)
    this.#place = null
    if (this.#upstreamIsDone) return
    // The end of the upstream's answer is on its way: its connection is worth waiting a moment for.
    setTimeout(() => this.#abortUpstream(), CLOSING_MS).unref()
  }

  /** The reader of this attempt's stream, which also writes to the client; null on a wire that has no streams. */
  #openReader(): StreamReader | null {
    const { protocol, head } = this.#context.prepared
    if (!protocol.streams) return null
    return (this.#reader ??= protocol.openStream({ dropUsageChunk: this.#mustAskForUsage() && head.stream }))
  }

  /** The client streams chat completions and did not ask for usage: the gateway does, and takes the extra chunk out. */
  #mustAskForUsage(): boolean {
    const { protocol, head } = this.#context.prepared
    return protocol.wire === 'openai-chat' && head.stream && !head.includeUsage
  }
}
