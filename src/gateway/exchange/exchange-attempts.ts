import { Fault } from '../../core/faults.ts'
import { ATTEMPTS_LIMIT } from '../../core/limits.ts'
import { wireFacts } from '../../core/wire.ts'
import type { UpstreamError } from '../../protocols/protocol.ts'
import type { Target, Upstream } from '../../routing/catalog.ts'
import { orderTargets } from '../../routing/route.ts'
import type { UpstreamExchange, UpstreamHandler } from '../../upstreams/upstream-client.ts'
import { withClientsModelName } from '../choice/client-model-name.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ExchangeTimes } from './exchange-times.ts'
import type { ResponseAdapter } from '../choice/target-adapters.ts'
import type { UpstreamInUse } from '../snapshot.ts'
import { faultOfRefusal, isLostConnection, mayHelpElsewhere, withoutSecretsIn } from '../upstream-faults.ts'

/** How long an upstream may take to close an answer of which the last event has come. */
const CLOSING_MS = 1_000

/** The tries of one request at its targets, one after the other. */
export class ExchangeAttempts {
  /** The upstream's part of the answer is whole, so that its connection can be used again. */
  isDone = false
  readonly #context: ExchangeContext
  readonly #times: ExchangeTimes
  /** Still to be tried, the next one first. */
  readonly #targets: Target[]
  #tried = 0
  #current: { target: Target; inUse: UpstreamInUse; adapter: ResponseAdapter } | null = null
  #exchange: UpstreamExchange | null = null

  constructor(context: ExchangeContext, times: ExchangeTimes) {
    this.#context = context
    this.#times = times
    const { chosen, adapters } = context.prepared
    const ordered = orderTargets(chosen.targets, context.parts.random, (target) => adapters.isSameWire(target))
    const [only] = ordered
    // A kept-alive connection may be closed by the other side just as it is used: a lone target gets a second chance.
    this.#targets = ordered.length === 1 && only !== undefined ? [only, only] : [...ordered]
  }

  /** The one being tried. */
  get upstream(): Upstream | null {
    return this.#current?.inUse.upstream ?? null
  }

  /** An upstream's words without what no message to the caller may hold. */
  scrubbed(error: UpstreamError): UpstreamError {
    if (this.#current === null) return error
    const { inUse, target } = this.#current
    const names = { upstream: target.model, client: this.#context.prepared.head.model }
    const harmless = withoutSecretsIn(error, inUse.secrets)
    const { message } = harmless
    return message === null ? harmless : { ...harmless, message: withClientsModelName(message, names) }
  }

  /** The Fault for an error answer of the one being tried. */
  refusal(body: Buffer, status: number, retryAfter: string | undefined): Fault {
    const { prepared, trace } = this.#context
    const error = this.#current?.adapter.readError(body) ?? { message: null, type: null, code: null, param: null }
    const insteadCall = prepared.isSameWireOnly ? wireFacts(trace.wire).endpoint : null
    return faultOfRefusal({ status, error: this.scrubbed(error), retryAfter, insteadCall })
  }

  /** How the answer of the one being tried is carried; null before the first. */
  get adapter(): ResponseAdapter | null {
    return this.#current?.adapter ?? null
  }

  /** Of the one being tried, where its answer goes to the client with its own ids. */
  get sameWireUpstreamId(): string | undefined {
    return this.adapter?.isSameWire === true ? this.upstream?.id : undefined
  }

  /** Tries the next target that can carry the request; false when there is none, or enough were tried. */
  next(handler: UpstreamHandler): boolean {
    const { prepared, answer, parts } = this.#context
    if (this.#tried >= ATTEMPTS_LIMIT) return false
    for (let target = this.#targets.shift(); target !== undefined; target = this.#targets.shift()) {
      const inUse = prepared.snapshot.upstreamsById.get(target.upstreamId)
      const outbound = prepared.adapters.to(target)
      if (inUse === undefined || outbound instanceof Fault) continue
      const { request, adapter } = outbound
      this.#tried += 1
      this.#current = { target, inUse, adapter }
      this.#times.attemptBegins(parts.clock.elapsed())
      this.isDone = false
      answer.dropped(adapter.dropped)
      answer.outputLimit(prepared.hold.limit)
      this.#exchange = inUse.client.send(request, handler)
      return true
    }
    return false
  }

  mayTryAgain(fault: Fault): boolean {
    if (!mayHelpElsewhere(fault)) return false
    const isSameTarget = this.#targets[0] === this.#current?.target
    return !isSameTarget || (fault.code === 'upstream_unavailable' && isLostConnection(fault.cause))
  }

  /** Notes how this attempt ended, once. `status` 0: no answer came. */
  close(fault: Fault | null, status: number): void {
    const { trace, parts } = this.#context
    if (this.#current === null || trace.attempts.length >= this.#tried) return
    trace.attempts.push({
      upstreamName: this.#current.inUse.upstream.name,
      model: this.#current.target.model,
      fault: fault?.code ?? null,
      status: status === 0 ? null : status,
      totalMs: Math.round(parts.clock.elapsed() - this.#times.attemptBeganAt),
    })
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
    if (!this.isDone) this.#exchange?.abort()
    this.isDone = true
  }

  /** The request is over. */
  abortSoon(): void {
    if (this.isDone) return
    // The end of the upstream's answer is on its way: its connection is worth waiting a moment for.
    setTimeout(() => this.abort(), CLOSING_MS).unref()
  }
}
