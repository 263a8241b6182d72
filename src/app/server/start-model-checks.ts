import { checkModels, type ModelCheckOptions } from '../../control/scheduled/model-checks.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { UpstreamInUse } from '../../gateway/snapshot.ts'
import { lookAtUpstreamModels } from './check-upstream.ts'
import { startLooks } from './start-looks.ts'

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
  const look = async () => {
    try {
      await checkModels({ store, lookAt, clock, log }, () => isStopped)
    } catch (error) {
      log.warn({ err: error }, 'failed to check lists of models; will retry in a few minutes')
    }
  }
  const looks = startLooks({ firstAfterMs: FIRST_LOOK_MS, everyMs: LOOK_EVERY_MS, look })
  return {
    async stop() {
      isStopped = true
      await Promise.race([looks.stop(), new Promise((resolve) => void setTimeout(resolve, GRACE_MS).unref())])
    },
  }
}
