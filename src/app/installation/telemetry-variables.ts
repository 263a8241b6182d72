import { Reader, oneOf, text, textLike, url, variable, wholeNumber } from './variable.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const LONGEST_TIMEOUT_MS = 600_000
const LONGEST_INTERVAL_MS = 3_600_000
const SHORTEST_INTERVAL_MS = 100
const MOST_QUEUED_SPANS = 65_536
const LONGEST_LIST = 8_192

const collectorUrl = url('http:', 'https:').where((given) => !given.includes('@'))

/**
 * OpenTelemetry, under the names of its own specification (Environment Variable Specification and OTLP Exporter
 * Configuration, opentelemetry.io, 1.56): nothing of it is loaded while no address of a collector is set.
 */
export const TELEMETRY_VARIABLES = {
  /** null: nothing is sent, but for a signal with an address of its own. */
  collector: variable({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'the collector that traces and metrics are sent to by OTLP over HTTP; its paths are added',
    ifUnset: 'none: OpenTelemetry is not loaded',
    takes: 'an http or https URL without a password, such as http://127.0.0.1:4318',
    more: 'See [OpenTelemetry](metrics.md#opentelemetry), for these and the others that are honoured',
    value: collectorUrl,
  }),
  tracesCollector: variable({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    meaning: 'where traces go instead, as it is written',
    ifUnset: 'OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces',
    takes: 'an http or https URL without a password',
    value: collectorUrl,
  }),
  metricsCollector: variable({
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    meaning: 'where metrics go instead, as it is written',
    ifUnset: 'OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics',
    takes: 'an http or https URL without a password',
    value: collectorUrl,
  }),
  collectorHeaders: variable({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'headers of what is sent there, such as a credential',
    takes: 'name=value with commas between, each value percent-encoded',
    isSecret: true,
    value: pairs(/^[!#$%&'*+.^_`|~\w-]+$/),
  }),
  collectorProtocol: variable({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    meaning: 'the form of what is sent',
    ...oneOf('http/protobuf', 'http/json'),
    takes: 'http/protobuf or http/json; gRPC is not supported: use the collector’s port for HTTP, as a rule 4318',
    unset: 'http/protobuf',
  }),
  collectorTimeoutMs: variable({
    name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    meaning: 'how long one delivery may take, its retries included, in milliseconds',
    ...wholeNumber(1, LONGEST_TIMEOUT_MS),
    unset: 10_000,
  }),
  collectorCompression: variable({
    name: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    meaning: 'how what is sent is compressed',
    ...oneOf('gzip', 'none'),
    unset: 'none',
  }),
  tracesExporter: variable({
    name: 'OTEL_TRACES_EXPORTER',
    meaning: 'none: no traces',
    ...oneOf('otlp', 'none'),
    unset: 'otlp',
  }),
  metricsExporter: variable({
    name: 'OTEL_METRICS_EXPORTER',
    meaning: 'none: no metrics by OTLP; /metrics stays',
    ...oneOf('otlp', 'none'),
    unset: 'otlp',
  }),
  serviceName: variable({
    name: 'OTEL_SERVICE_NAME',
    meaning: 'service.name of all that is sent',
    ifUnset: 'tollgate',
    takes: 'a text of at most 255 characters',
    value: text(255),
  }),
  resourceAttributes: variable({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    meaning: 'more attributes of the resource that all is sent for',
    takes: 'name=value with commas between, each value percent-encoded',
    value: pairs(/^[\x21-\x7e]+$/),
  }),
  sampler: variable({
    name: 'OTEL_TRACES_SAMPLER',
    meaning: 'which requests are traced',
    ...oneOf(...SAMPLERS),
    unset: 'parentbased_always_on',
  }),
  sampledPart: variable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'which part of them, with traceidratio',
    takes: 'a number from 0 to 1, such as 0.1',
    value: textLike(/^(?:0|1|0?\.\d{1,10}|1\.0+)$/).as(Number),
    unset: 1,
  }),
  queuedSpans: variable({
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    meaning: 'how many spans of a thread wait to be sent; those that come later are left out',
    ...wholeNumber(1, MOST_QUEUED_SPANS),
    unset: 2_048,
  }),
  spanDelayMs: variable({
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    meaning: 'how long spans wait for others to be sent with, in milliseconds',
    ...wholeNumber(SHORTEST_INTERVAL_MS, LONGEST_INTERVAL_MS),
    unset: 5_000,
  }),
  metricIntervalMs: variable({
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    meaning: 'how often metrics are sent, in milliseconds',
    ...wholeNumber(SHORTEST_INTERVAL_MS, LONGEST_INTERVAL_MS),
    unset: 60_000,
  }),
  isTelemetryDisabled: variable({
    name: 'OTEL_SDK_DISABLED',
    meaning: 'true: nothing is sent and nothing loaded, whatever else is set',
    ifUnset: 'false',
    takes: 'true or false',
    value: oneOf('true', 'false').value.as((given) => given === 'true'),
    unset: false,
  }),
} as const

/** A list as W3C Baggage writes one, without properties. */
function pairs(name: RegExp): Reader<Readonly<Record<string, string>>> {
  return new Reader((given) => {
    if (given.length > LONGEST_LIST) return undefined
    const read = given
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => pairOf(pair, name))
    const known = read.filter((pair) => pair !== null)
    return known.length === read.length ? Object.fromEntries(known) : undefined
  })
}

function pairOf(pair: string, name: RegExp): readonly [string, string] | null {
  const at = pair.indexOf('=')
  const key = pair.slice(0, Math.max(0, at)).trim()
  if (!name.test(key)) return null
  try {
    const value = decodeURIComponent(pair.slice(at + 1).trim())
    return /^\P{Cc}*$/u.test(value) ? [key, value] : null
  } catch {
    return null
  }
}
