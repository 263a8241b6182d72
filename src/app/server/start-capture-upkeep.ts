import { readSettings } from '../../control/settings/instance-settings.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import type { Store } from '../../store/store.ts'
import { auditOfEnd } from './capture-keeper.ts'
import { PeriodicTask } from '../periodic-task.ts'

const LOOK_EVERY_MS = 60_000

/**
 * Ends captures whose time is over, and deletes what was kept for a day; everything, where captures are off. Every node looks;
 * each capture ends once.
 */
export function startCaptureUpkeep(options: {
  readonly store: Pick<Store, 'captures' | 'settings' | 'together'>
  readonly clock: Clock
  readonly log: Logger
}): PeriodicTask {
  const { store, clock, log } = options
  return new PeriodicTask({
    run: () => keepUp(store, clock.now()),
    onError: (error) => log.error({ err: error }, 'failed to end or delete captures; will retry in a minute'),
  }).start({ firstAfterMs: 0, everyMs: LOOK_EVERY_MS })
}

/** One look. */
export async function keepUp(store: Pick<Store, 'captures' | 'settings' | 'together'>, nowMs: number): Promise<void> {
  const { capture_requests: isOn } = await readSettings(store.settings)
  await store.together(async ({ captures, audit }) => {
    const ended = isOn ? await captures.endDue(nowMs) : await captures.deleteAll(nowMs)
    for (const each of ended) await audit.write(auditOfEnd(each, nowMs))
  })
  await store.captures.prune(nowMs)
}
