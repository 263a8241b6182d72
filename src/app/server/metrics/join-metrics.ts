import type { Logger } from '../../../core/log.ts'
import type { Store } from '../../../store/store.ts'
import { type Figures, merged } from '../../../telemetry/figures.ts'
import { version } from '../../installation/version.ts'
import type { Settings } from '../../installation/environment.ts'
import type { JoinedNode } from '../join-node.ts'
import type { Listener } from '../lazy-listener.ts'
import type { SnapshotKeeper } from '../snapshot-keeper.ts'
import { createMetricsPage, isMetricsPath } from './metrics-page.ts'
import { failuresIn, nodeFigures } from './node-figures.ts'

export interface MetricsOptions {
  readonly settings: Pick<Settings, 'adminToken' | 'metricsToken'>
  readonly store: Pick<Store, 'engine'>
  readonly log: Logger
  /** The threads beside this one; absent: there are none. */
  readonly workers?: { figures(): Promise<readonly Figures[]> } | undefined
}

/** The figures of this process: of all its threads, its database and the process itself. */
export async function processFigures(
  { store, workers }: MetricsOptions,
  node: JoinedNode,
  snapshots: SnapshotKeeper,
): Promise<Figures> {
  const [others, failure] = await Promise.all([workers?.figures() ?? [], node.standing.failure()])
  const isUp = failure === null && failuresIn(others).length === 0
  return merged([nodeFigures(node, snapshots), ...others, ofProcess(store.engine, isUp ? 1 : 0)])
}

/** The listener of `/metrics` on the main thread, which knows all others. */
export function joinMetrics(options: MetricsOptions, node: JoinedNode, snapshots: SnapshotKeeper): Listener {
  const { adminToken, metricsToken } = options.settings
  return createMetricsPage({
    tokens: [adminToken, metricsToken].filter((token) => token !== null),
    gather: () => processFigures(options, node, snapshots),
    onError: (error) => options.log.error({ err: error }, 'failed to read the metrics'),
  })
}

/** Passes a request to the listener that it is for. */
export function metricsOr(metrics: Listener, control: Listener): Listener {
  return (request, response) => (isMetricsPath(request.url) ? metrics : control)(request, response)
}

function ofProcess(engine: string, storeUp: number): Figures {
  const { user, system } = process.cpuUsage()
  const startedAt = Date.now() / 1_000 - process.uptime()
  return {
    distributions: [],
    values: [
      { of: 'storeUp', labels: [], value: storeUp },
      { of: 'buildInfo', labels: [version(), process.version, engine], value: 1 },
      { of: 'memory', labels: [], value: process.memoryUsage.rss() },
      { of: 'cpu', labels: [], value: (user + system) / 1e6 },
      { of: 'started', labels: [], value: Math.round(startedAt * 1_000) / 1_000 },
    ],
  }
}
