import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** What a collector does with what it gets. */
type Manner = 'takes' | 'hangs' | 'fails'

/** One delivery; `json` is there where it came as JSON. */
export interface Delivered {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** A span as it came, with its attributes as a record. */
export interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly seconds: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A point of a metric as it came. */
export interface SentPoint {
  readonly scope: string
  readonly schemaUrl: string
  readonly name: string
  readonly unit: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly count: number | null
  readonly sum: number | null
  readonly bounds: readonly number[]
  readonly value: number | null
}

export interface OtlpReceiver {
  readonly url: string
  readonly delivered: readonly Delivered[]
  manner: Manner
  /** The spans in all that came as JSON; of a metric only the points that came last. */
  spans(): SentSpan[]
  points(): SentPoint[]
  resources(): Readonly<Record<string, unknown>>[]
  close(): void
}

/** A collector on this machine, which reads OTLP over HTTP. Ends with its test. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const delivered: Delivered[] = []
  const server = createServer((request, response) => {
    const manner = receiver.manner
    buffer(request).then(
      (sent) => {
        const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
        delivered.push({ path: request.url ?? '', headers: request.headers, bytes })
        if (manner !== 'hangs')
          response.writeHead(manner === 'takes' ? 200 : 503, { 'content-type': 'application/json' }).end('{}')
        return null
      },
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    delivered,
    manner: 'takes',
    spans: () => bodies(delivered, '/v1/traces').flatMap(spansOf),
    points: () => bodies(delivered, '/v1/metrics').slice(-1).flatMap(pointsOf),
    resources: () => bodies(delivered).flatMap(resourcesOf),
    close,
  }
  onTestFinished(close)
  return receiver
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}
interface Scope {
  readonly name: string
}
interface RawSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status?: { readonly code?: number }
  readonly attributes?: readonly Attribute[]
}
interface RawPoint {
  readonly attributes?: readonly Attribute[]
  readonly count?: number | string
  readonly sum?: number
  readonly explicitBounds?: readonly number[]
  readonly asDouble?: number
  readonly asInt?: number | string
}
interface RawMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly dataPoints: readonly RawPoint[] }
  readonly gauge?: { readonly dataPoints: readonly RawPoint[] }
  readonly histogram?: { readonly dataPoints: readonly RawPoint[] }
}
/** The parts of `ExportTraceServiceRequest` and `ExportMetricsServiceRequest` that are read here (opentelemetry-proto 1). */
interface Body {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly scope: Scope; readonly spans: readonly RawSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeMetrics: readonly {
      readonly scope: Scope
      readonly schemaUrl?: string
      readonly metrics: readonly RawMetric[]
    }[]
  }[]
}

function bodies(delivered: readonly Delivered[], path = ''): Body[] {
  return delivered
    .filter(({ headers, path: at }) => headers['content-type'] === 'application/json' && at.endsWith(path))
    .map(({ bytes }) => JSON.parse(bytes.toString()) as Body)
}

function spansOf({ resourceSpans = [] }: Body): SentSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans))
  return spans.map(({ name, kind, traceId, spanId, parentSpanId = '', ...span }) => ({
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    seconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e9,
    isError: span.status?.code === 2,
    attributes: recordOf(span.attributes),
  }))
}

function pointsOf({ resourceMetrics = [] }: Body): SentPoint[] {
  const scopes = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics)
  return scopes.flatMap(({ scope, schemaUrl = '', metrics }) =>
    metrics.flatMap(
      ({ name, unit, sum, gauge, histogram }) =>
        (sum ?? gauge ?? histogram)?.dataPoints.map((point) => ({
          scope: scope.name,
          schemaUrl,
          name,
          unit,
          attributes: recordOf(point.attributes),
          count: point.count === undefined ? null : Number(point.count),
          sum: point.sum ?? null,
          bounds: point.explicitBounds ?? [],
          value: point.asDouble ?? (point.asInt === undefined ? null : Number(point.asInt)),
        })) ?? [],
    ),
  )
}

function resourcesOf({ resourceSpans = [], resourceMetrics = [] }: Body): Readonly<Record<string, unknown>>[] {
  return [...resourceSpans, ...resourceMetrics].map(({ resource }) => recordOf(resource.attributes))
}

function recordOf(attributes: readonly Attribute[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
