import type { Fault } from '../core/faults.ts'
import { ATTEMPTS_LIMIT } from '../core/limits.ts'
import type { Target, Upstream } from '../routing/catalog.ts'
import { orderTargets } from '../routing/route.ts'
import type { UpstreamExchange, UpstreamHandler } from '../upstreams/upstream-client.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ExchangeTimes } from './exchange-times.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { UpstreamInUse } from './snapshot.ts'
import { isLostConnection, mayHelpElsewhere } from './upstream-faults.ts'

/** How long an upstream may take to close an answer of which the last event has come. */
const CLOSING_MS = 1_000

/** The tries of one request at its targets, one after the other. */
export class ExchangeAttempts {
  /** The upstream's part of the answer is whole, so that its connection can be used again. */
  isDone = false
  readonly #context: ExchangeContext
  readonly #times: ExchangeTimes
  readonly #targets: readonly Target[]
  #tried = 0
  #current: { target: Target; inUse: UpstreamInUse } | null = null
  #exchange: UpstreamExchange | null = null

  constructor(context: ExchangeContext, times: ExchangeTimes) {
    this.#context = context
    this.#times = times
    const ordered = orderTargets(context.prepared.chosen.targets, context.parts.random)
    const [only] = ordered
    // A kept-alive connection may be closed by the other side just as it is used: a lone target gets a second chance.
    this.#targets = ordered.length === 1 && only !== undefined ? [only, only] : ordered
  }

  /** The one being tried. */
  get upstream(): Upstream | null {
    return this.#current?.inUse.upstream ?? null
  }

  /** What no message to the caller may hold. */
  get secrets(): readonly string[] {
    return this.#current?.inUse.secrets ?? []
  }

  /** Tries the next target; false when there is none, or enough were tried. */
  next(handler: UpstreamHandler, how: { askForUsage: boolean }): boolean {
    const { prepared, rawHeaders, upstreamPath, trace, parts } = this.#context
    if (this.#tried >= ATTEMPTS_LIMIT) return false
    const target = this.#targets[this.#tried]
    const inUse = target === undefined ? undefined : prepared.snapshot.upstreamsById.get(target.upstreamId)
    if (target === undefined || inUse === undefined) return false
    this.#tried += 1
    this.#current = { target, inUse }
    this.#times.attemptBegins(parts.clock.elapsed())
    this.isDone = false
    const change = { model: target.model, askForUsage: how.askForUsage }
    const body = prepared.protocol.rewriteRequest(prepared.body, prepared.head, change)
    const headers = forwardedHeaders(rawHeaders, trace.id)
    this.#exchange = inUse.client.send({ method: 'POST', path: upstreamPath, headers, body }, handler)
    return true
  }

  mayTryAgain(fault: Fault): boolean {
    if (!mayHelpElsewhere(fault)) return false
    const isSameTarget = this.#targets[this.#tried] === this.#current?.target
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
  leave(): void {
    if (this.isDone) return
    // The end of the upstream's answer is on its way: its connection is worth waiting a moment for.
    setTimeout(() => this.abort(), CLOSING_MS).unref()
  }
}
