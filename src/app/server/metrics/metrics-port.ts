import { createServer } from '../../../core/node-http.ts'
import { ConfigurationError, type Settings } from '../../installation/environment.ts'
import { listen } from '../listen.ts'
import { toOriginForm } from '../refuse-unreadable.ts'
import type { Listener } from '../lazy-listener.ts'
import { isMetricsPath } from './metrics-page.ts'

/** A port with the metrics alone. */
export interface MetricsPort {
  readonly origin: string
  /** Answers by this from now on; before, it says to ask again. */
  serve(metrics: Listener): void
  close(): void
}

/**
 * Listens on the port that the settings name for the metrics, on the gateway's own host; null where they name none. Rejects
 * with ConfigurationError when it cannot be taken.
 */
export async function openMetricsPort({
  host,
  metricsPort: port,
}: Pick<Settings, 'host' | 'metricsPort'>): Promise<MetricsPort | null> {
  if (port === null) return null
  let listener: Listener = (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end()
  const server = createServer((request, response) => {
    toOriginForm(request)
    const isAsked = isMetricsPath(request.url) && (request.method === 'GET' || request.method === 'HEAD')
    if (isAsked) listener(request, response)
    else response.writeHead(404, { 'cache-control': 'no-store' }).end()
  })
  const { origin } = await listen(server, { host, port }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigurationError(
      `TOLLGATE_METRICS_PORT is ${port}, but it cannot be listened on (${code}): set it to a free port, or unset it.`,
      { cause: error },
    )
  })
  return {
    origin,
    serve(metrics) {
      listener = metrics
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
