import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traces, ValueType } from '@opentelemetry/api'
import type { Attributes, Context, Histogram, HrTime, Meter, Span, Tracer } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { NO_TOKENS, totalInput, totalOutput, type TokenCounts } from '../../core/tokens.ts'
import { upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { wireFacts } from '../../core/wire.ts'
import { forGraphs } from '../../gateway/request-figures.ts'
import type {
  ArrivedRequest,
  AttemptAt,
  EndedRequest,
  ObservedAttempt,
  ObservedEnding,
  ObservedRequest,
  RequestObserver,
} from '../../gateway/request-observer.ts'
import { GEN_AI, GEN_AI_METRICS, OURS } from './gen-ai.ts'

/**
 * Makes one span of each request, with one below it for each attempt at an upstream, and counts what the conventions have
 * metrics for. To its clients the gateway is the server, and to its upstreams the client: `gen_ai.server.*` is of requests,
 * `gen_ai.client.*` of attempts and of what they used.
 */
export class SpanObserver implements RequestObserver {
  readonly #tracer: Tracer
  readonly #counts: Counts

  constructor(tracer: Tracer, meter: Meter) {
    this.#tracer = tracer
    this.#counts = new Counts(meter)
  }

  arrived(arrived: ArrivedRequest, traceparent: string | undefined): ObservedRequest {
    return new SpanOfRequest(arrived, { tracer: this.#tracer, counts: this.#counts, parent: parentOf(traceparent) })
  }
}

class SpanOfRequest implements ObservedRequest {
  readonly #arrived: ArrivedRequest
  readonly #tracer: Tracer
  readonly #counts: Counts
  readonly #operation: string
  readonly #span: Span
  readonly #context: Context
  /** The attributes of the last attempt: what the request used was used there. */
  #last: Attributes | null = null

  constructor(
    arrived: ArrivedRequest,
    { tracer, counts, parent }: { tracer: Tracer; counts: Counts; parent: Context },
  ) {
    this.#arrived = arrived
    this.#tracer = tracer
    this.#counts = counts
    this.#operation = wireFacts(arrived.wire).operation
    const attributes = { [GEN_AI.operation]: this.#operation, [OURS.wire]: arrived.wire }
    const begin = { kind: SpanKind.SERVER, startTime: hrTimeOf(arrived.createdAt), attributes }
    this.#span = tracer.startSpan(this.#operation, begin, parent)
    this.#context = traces.setSpan(ROOT_CONTEXT, this.#span)
  }

  attempted({ upstream, target, credential }: AttemptAt, beganAt: number): ObservedAttempt {
    const about: Attributes = {
      [GEN_AI.operation]: this.#operation,
      [GEN_AI.provider]: upstreamProtocolFacts(upstream.protocol).provider,
      [GEN_AI.requestModel]: target.model,
      [OURS.upstream]: upstream.name,
    }
    this.#last = about
    const attributes = { ...about, [OURS.credential]: credential }
    const begin = { kind: SpanKind.CLIENT, startTime: this.#at(beganAt), attributes }
    const span = this.#tracer.startSpan(`${this.#operation} ${target.model}`, begin, this.#context)
    return {
      traceparent: traceparentOf(span),
      ended: ({ class: ended, status }, endedAt) => {
        const error = ended === 'ok' ? {} : { [GEN_AI.errorType]: ended }
        span.setAttributes({ [OURS.attemptClass]: ended, ...error })
        if (status !== null) span.setAttribute(GEN_AI.httpStatus, status)
        if (ended !== 'ok' && ended !== 'cancelled') span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(this.#at(endedAt))
        this.#counts.operationSeconds.record((endedAt - beganAt) / 1_000, { ...about, ...error })
      },
    }
  }

  ended(request: EndedRequest, ending: ObservedEnding, endedAt: number): void {
    const { chosen, caller, isStream, firstByteAt, startedAt } = request
    const model = chosen?.model.name
    const error = ending.fault === null ? {} : { [GEN_AI.errorType]: ending.fault }
    const provider = this.#last === null ? {} : { [GEN_AI.provider]: this.#last[GEN_AI.provider] }
    const span = this.#span
    if (model !== undefined) span.updateName(`${this.#operation} ${model}`)
    span.setAttributes({
      [GEN_AI.requestModel]: model,
      [GEN_AI.isStream]: isStream ? true : undefined,
      [GEN_AI.firstChunkSeconds]: isStream && firstByteAt !== null ? (firstByteAt - startedAt) / 1_000 : undefined,
      [GEN_AI.httpStatus]: ending.httpStatus ?? undefined,
      [OURS.requestId]: request.id,
      [OURS.group]: chosen?.group.name,
      [OURS.accountId]: caller?.account.id,
      [OURS.keyId]: caller?.key.id,
      [OURS.outcome]: ending.outcome,
      [OURS.chargedUsd]: ending.cost === undefined ? undefined : forGraphs(ending.cost),
      ...provider,
      ...error,
      ...(ending.tokens === undefined ? {} : usageOf(ending.tokens)),
    })
    // As with spans of HTTP servers: what a client did wrong does not make an error of it.
    if (ending.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(this.#at(endedAt))
    this.#count(request, ending, { endedAt, about: { [GEN_AI.requestModel]: model, ...provider } })
  }

  #count(request: EndedRequest, ending: ObservedEnding, { endedAt, about }: { endedAt: number; about: Attributes }) {
    // Refusals are fast, and would hide how long the others take.
    if (ending.outcome === 'refused') return
    const { isStream, firstByteAt, startedAt } = request
    const counts = this.#counts
    const attributes = { [GEN_AI.operation]: this.#operation, ...about }
    const error = ending.fault === null ? {} : { [GEN_AI.errorType]: ending.fault }
    counts.requestSeconds.record((endedAt - startedAt) / 1_000, { ...attributes, ...error })
    const { tokens = NO_TOKENS } = ending
    const [input, output] = [totalInput(tokens), totalOutput(tokens)]
    if (this.#last !== null) {
      if (input !== null) counts.tokenUsage.record(input, { ...this.#last, [GEN_AI.tokenType]: 'input' })
      if (output !== null) counts.tokenUsage.record(output, { ...this.#last, [GEN_AI.tokenType]: 'output' })
    }
    if (ending.outcome !== 'completed' || !isStream || firstByteAt === null) return
    counts.firstTokenSeconds.record((firstByteAt - startedAt) / 1_000, attributes)
    if (output !== null && output > 1) {
      counts.secondsPerToken.record((endedAt - firstByteAt) / 1_000 / (output - 1), attributes)
    }
  }

  /** A reading of `Clock.elapsed` as a time of day. */
  #at(elapsed: number): HrTime {
    return hrTimeOf(this.#arrived.createdAt + elapsed - this.#arrived.startedAt)
  }
}

/** The histograms of the conventions. */
class Counts {
  readonly tokenUsage
  readonly operationSeconds
  readonly requestSeconds
  readonly firstTokenSeconds
  readonly secondsPerToken

  constructor(meter: Meter) {
    const histogram = (name: keyof typeof GEN_AI_METRICS, valueType = ValueType.DOUBLE): Histogram => {
      const { name: called, steps, ...about } = GEN_AI_METRICS[name]
      return meter.createHistogram(called, { ...about, valueType, advice: { explicitBucketBoundaries: [...steps] } })
    }
    this.tokenUsage = histogram('tokenUsage', ValueType.INT)
    this.operationSeconds = histogram('operationSeconds')
    this.requestSeconds = histogram('requestSeconds')
    this.firstTokenSeconds = histogram('firstTokenSeconds')
    this.secondsPerToken = histogram('secondsPerToken')
  }
}

/** The conventions count cached tokens as input tokens. What was not reported is left out. */
function usageOf(tokens: TokenCounts): Attributes {
  const { cacheRead, cacheWrite, cacheWrite1h, reasoning } = tokens
  const written = cacheWrite === null && cacheWrite1h === null ? undefined : (cacheWrite ?? 0) + (cacheWrite1h ?? 0)
  return {
    [GEN_AI.inputTokens]: totalInput(tokens) ?? undefined,
    [GEN_AI.outputTokens]: totalOutput(tokens) ?? undefined,
    [GEN_AI.cacheReadTokens]: cacheRead ?? undefined,
    [GEN_AI.cacheWriteTokens]: written,
    [GEN_AI.reasoningTokens]: reasoning ?? undefined,
  }
}

/** What a client's header says; where it says nothing that can be read, the trace begins here. */
function parentOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent === null ? ROOT_CONTEXT : traces.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

/** W3C Trace Context, version 00. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
}

/** Epoch milliseconds as seconds and nanoseconds. */
function hrTimeOf(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}
