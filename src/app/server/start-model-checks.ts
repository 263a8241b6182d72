import { checkModels, type ModelCheckOptions } from '../../control/scheduled/model-checks.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'
import { lookAtUpstreamModels } from './check-upstream.ts'
import { PeriodicTask } from '../periodic-task.ts'

const LOOK_EVERY_MS = 60_000
const FIRST_LOOK_MS = 10_000
/** An upstream that is being asked as the gateway stops gets so long. It is asked again in a day. */
const GRACE_MS = 2_000

/** Asks each upstream once a day for its list of models, where the setting is on. Every node looks; one of them asks. */
export function startModelChecks(options: {
  readonly store: ModelCheckOptions['store']
  /** The catalogue by which requests are sent. */
  readonly snapshots: { readonly current: { readonly upstreamsById: ReadonlyMap<string, UpstreamInUse> } }
  readonly clock: Clock
  readonly log: Logger
}): { stop(): Promise<void> } {
  const { store, snapshots, clock, log } = options
  const lookAt = (id: string) => lookAtUpstreamModels(snapshots.current.upstreamsById.get(id), clock)
  let isStopped = false
  const checks = new PeriodicTask({
    run: () => checkModels({ store, lookAt, clock, log }, () => isStopped),
    onError: (error) => log.warn({ err: error }, 'failed to check lists of models; will retry in a few minutes'),
  }).start({ firstAfterMs: FIRST_LOOK_MS, everyMs: LOOK_EVERY_MS })
  return {
    async stop() {
      isStopped = true
      await Promise.race([checks.stop(), new Promise((resolve) => void setTimeout(resolve, GRACE_MS).unref())])
    },
  }
}
