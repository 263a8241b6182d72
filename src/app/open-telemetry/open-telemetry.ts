import { metricsUrl, tracesUrl } from './destinations.ts'
import type { OpenTelemetry, OpenTelemetryOptions } from './start-open-telemetry.ts'

/** Starts it where a collector is configured; null, and nothing of it is loaded, where none is. */
export async function openTelemetry(options: OpenTelemetryOptions): Promise<OpenTelemetry | null> {
  if (tracesUrl(options.settings) === null && metricsUrl(options.settings) === null) return null
  const { startOpenTelemetry } = await import('./start-open-telemetry.ts')
  return startOpenTelemetry(options)
}
