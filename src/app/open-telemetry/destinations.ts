import type { TelemetrySettings } from '../installation/environment.ts'

/** Where traces go; null: nowhere. */
export function tracesUrl(settings: TelemetrySettings): string | null {
  if (settings.isTelemetryDisabled || settings.tracesExporter === 'none') return null
  return settings.tracesCollector ?? below(settings.collector, 'v1/traces')
}

/** Where metrics go; null: nowhere. */
export function metricsUrl(settings: TelemetrySettings): string | null {
  if (settings.isTelemetryDisabled || settings.metricsExporter === 'none') return null
  return settings.metricsCollector ?? below(settings.collector, 'v1/metrics')
}

/** Appends to the path there is, as the OTLP exporter specification has it. */
function below(base: string | null, path: string): string | null {
  if (base === null) return null
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}
