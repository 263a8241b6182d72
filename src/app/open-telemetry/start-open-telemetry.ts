import { randomUUID } from 'node:crypto'
import { createNoopMeter, diag, DiagLogLevel, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base'
import type { OTLPExporterNodeConfigBase } from '@opentelemetry/otlp-exporter-base/node-http'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler as PartSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import { systemClock as clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { RequestObserver } from '../../gateway/request-observer.ts'
import type { Figures } from '../../telemetry/figures.ts'
import { version } from '../installation/version.ts'
import type { TelemetrySettings } from '../installation/environment.ts'
import { FiguresProducer } from './figures-producer.ts'
import { GEN_AI_SCHEMA } from './gen-ai.ts'
import { metricsUrl, tracesUrl } from './destinations.ts'
import { SpanObserver } from './span-observer.ts'

/** What waits at the end gets so long: a collector that is away must not keep a process from its end. */
const LAST_DELIVERY_MS = 3_000
/** Spans of one delivery: 512 of ours are some 300 KB. */
const SPANS_AT_ONCE = 512
/** One is under way as a rule, and what waits is sent at once at the end. */
const DELIVERIES_AT_ONCE = 8
const SCOPE = 'tollgate'

/** What one thread sends of itself by OpenTelemetry. */
export interface OpenTelemetry {
  readonly observer: RequestObserver
  /** Sends the metrics of `/metrics` from now on too. Called by the thread that knows those of all others. */
  sendAlso(gather: () => Promise<Figures>): void
  /** Sends what waits, and ends. Resolves in a bounded time, whatever the collector does. */
  stop(): Promise<void>
}

export interface OpenTelemetryOptions {
  readonly settings: TelemetrySettings
  readonly log: Logger
  /** When the process started, which the figures count from. */
  readonly startedAtMs: number
}

/** Loads and starts the SDK for this thread. Nothing of it is registered globally, so no other package is traced. */
export async function startOpenTelemetry(options: OpenTelemetryOptions): Promise<OpenTelemetry> {
  const { settings, log, startedAtMs } = options
  const noteTrouble = deliveryTrouble(log)
  setGlobalErrorHandler(noteTrouble)
  const onTrouble = () => noteTrouble(null)
  const quiet = () => {}
  diag.setLogger(
    { error: onTrouble, warn: onTrouble, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const resource = resourceOf(settings)
  const figures = new FiguresProducer(startedAtMs)
  const traces = await tracerProvider(settings, resource)
  const metrics = await meterProvider(settings, resource, figures)
  const scope = [SCOPE, version(), { schemaUrl: GEN_AI_SCHEMA }] as const
  const observer = new SpanObserver(
    traces?.getTracer(...scope) ?? trace.getTracer(SCOPE),
    metrics?.getMeter(...scope) ?? createNoopMeter(),
  )
  return {
    observer,
    sendAlso: (gather: () => Promise<Figures>) => figures.readFrom(gather),
    stop: async () => {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, LAST_DELIVERY_MS)
      const ended = Promise.all([traces?.shutdown(), metrics?.shutdown()]).catch(noteTrouble)
      await Promise.race([ended, late.promise])
      clearTimeout(timer)
    },
  }
}

/** `service.instance.id` is of one thread: each counts by itself, and two must not be taken for one that jumps. */
function resourceOf({ serviceName, resourceAttributes }: TelemetrySettings): Resource {
  const given = resourceAttributes ?? {}
  return resourceFromAttributes({
    'service.name': 'tollgate',
    'service.version': version(),
    'service.instance.id': randomUUID(),
    ...given,
    ...(serviceName === null ? {} : { 'service.name': serviceName }),
  })
}

async function tracerProvider(settings: TelemetrySettings, resource: Resource): Promise<TracerProvider | null> {
  const url = tracesUrl(settings)
  if (url === null) return null
  const { OTLPTraceExporter } = await (settings.collectorProtocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  const { queuedSpans: maxQueueSize, spanDelayMs: scheduledDelayMillis, collectorTimeoutMs } = settings
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(deliveryTo(url, settings)),
    maxQueueSize,
    maxExportBatchSize: Math.min(SPANS_AT_ONCE, maxQueueSize),
    scheduledDelayMillis,
    exportTimeoutMillis: collectorTimeoutMs,
  })
  return new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [processor] })
}

async function meterProvider(
  settings: TelemetrySettings,
  resource: Resource,
  figures: FiguresProducer,
): Promise<MeterProvider | null> {
  const url = metricsUrl(settings)
  if (url === null) return null
  const { OTLPMetricExporter } = await (settings.collectorProtocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'))
  const { metricIntervalMs: exportIntervalMillis, collectorTimeoutMs } = settings
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(deliveryTo(url, settings)),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(collectorTimeoutMs, exportIntervalMillis),
    metricProducers: [figures],
  })
  return new MeterProvider({ resource, readers: [reader] })
}

function deliveryTo(url: string, settings: TelemetrySettings): OTLPExporterNodeConfigBase {
  const { collectorHeaders, collectorTimeoutMs: timeoutMillis, collectorCompression } = settings
  const compression = collectorCompression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE
  return { url, timeoutMillis, compression, headers: { ...collectorHeaders }, concurrencyLimit: DELIVERIES_AT_ONCE }
}

/** Chooses the requests that are traced, as `OTEL_TRACES_SAMPLER` and its argument say. */
function samplerOf({ sampler, sampledPart }: Pick<TelemetrySettings, 'sampler' | 'sampledPart'>): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new PartSampler(sampledPart)
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

const SAID_EVERY_MS = 60_000

/** Says in the log that telemetry was not delivered, once a minute at most, and nothing of what the collector answered. */
function deliveryTrouble(log: Logger): (error: unknown) => void {
  let saidAt = -Infinity
  let count = 0
  return (error) => {
    count += 1
    const now = clock.elapsed()
    if (now - saidAt < SAID_EVERY_MS) return
    saidAt = now
    log.warn({ count, because: codeOf(error) }, 'failed to deliver telemetry to the collector')
    count = 0
  }
}

/** Node's code or the HTTP status: no message, which may hold what the collector answered. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name
}
