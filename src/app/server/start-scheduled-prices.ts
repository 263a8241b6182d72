import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import { setDuePrices } from '../../control/scheduled/due-prices.ts'
import type { Snapshot } from '../../gateway/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../periodic-task.ts'

const LOOK_EVERY_MS = 500
const AGAIN_AFTER_MS = 10_000

/** Sets prices that were planned when their time comes. Every node looks at what it serves by; each is set once. */
export function startScheduledPrices(options: {
  readonly store: Pick<Store, 'together' | 'catalog' | 'groups'>
  readonly snapshots: { readonly current: Pick<Snapshot, 'modelsByName'> }
  readonly clock: Clock
  readonly log: Logger
}): PeriodicTask {
  const { store, snapshots, clock, log } = options
  let notBefore = 0
  // Worked out anew only when the gateway serves by other models.
  let known: Snapshot['modelsByName'] | null = null
  let planned: readonly { readonly id: string; readonly at: number }[] = []

  const setDue = async (ids: readonly string[]) => {
    const nowMs = clock.now()
    const taken = await setDuePrices(store, { ids, nowMs, newId: (prefix) => newId(prefix, nowMs) })
    for (const { model, outcome } of taken) {
      if (outcome === 'set') log.info({ model }, 'set a planned price')
      else log.error({ model }, DROPPED[outcome])
    }
  }
  return new PeriodicTask({
    async run() {
      const { modelsByName } = snapshots.current
      if (modelsByName !== known) {
        known = modelsByName
        planned = [...modelsByName.values()].flatMap(({ id, scheduled }) =>
          scheduled === undefined ? [] : [{ id, at: scheduled.effectiveAt }],
        )
      }
      if (planned.length === 0 || clock.elapsed() < notBefore) return
      const nowMs = clock.now()
      const due = planned.filter(({ at }) => at <= nowMs).map(({ id }) => id)
      if (due.length > 0) await setDue(due)
    },
    onError(error) {
      notBefore = clock.elapsed() + AGAIN_AFTER_MS
      log.error({ err: error }, 'failed to set planned prices; will retry in 10 s')
    },
  }).start({ everyMs: LOOK_EVERY_MS })
}

const DROPPED = {
  locked: 'dropped a planned price of an import: the price was locked against imports since',
  too_dear: 'dropped a planned price: with the multiplier of a group it would be beyond what can be charged',
} as const
