/** What every node does at intervals, aside from all requests. */
import { type ModelCheckOptions, checkModels } from '../../control/scheduled/model-checks.ts'
import { endDueDevices } from '../../control/scheduled/due-devices.ts'
import { endDueRaises } from '../../control/scheduled/due-quotas.ts'
import { readUpkeepSettings } from '../../control/settings/upkeep-settings.ts'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/durations.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Snapshot } from '../../gateway/snapshot.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../periodic-task.ts'
import { auditOfEnd } from './capture-keeper.ts'
import { lookAtUpstreamModels } from './check-upstream.ts'
import type { AlertStore } from '../../alerts/alert.ts'
import type { AlertCarrier } from '../../alerts/carrier.ts'
import { AlertSender } from '../../alerts/alert-sender.ts'

const QUOTAS_EVERY_MS = 2_000
const PRICES_EVERY_MS = 500
const PRICES_AGAIN_AFTER_MS = 10_000
const FIRST_RENEWALS_MS = 2_000
const RENEWALS_AT_ONCE = 200
const FIRST_MODEL_CHECK_MS = 10_000
/** An upstream that is being asked as the gateway stops gets so long. It is asked again in a day. */
const MODEL_CHECK_GRACE_MS = 2_000
/** How often stored responses that have grown too old are forgotten. */
const PRUNING_MS = 600_000

interface ScheduledParts<Needed> {
  readonly store: Needed
  readonly clock: Clock
  readonly log: Logger
}

/** The catalogue by which requests are sent. */
interface WithSnapshot<Part extends keyof Snapshot> {
  readonly snapshots: { readonly current: Pick<Snapshot, Part> }
}

/** Begins all of it. */
export function startScheduledWork(
  parts: ScheduledParts<Store> & WithSnapshot<'upstreamsById' | 'modelsByName'>,
): readonly { stop(): Promise<void> }[] {
  const { store, clock, log } = parts
  const pruning = new PeriodicTask({
    run: () => store.storedResponses.prune(clock.now()),
    onError: (error) => log.warn({ err: error }, 'failed to delete old stored responses'),
  }).start({ everyMs: PRUNING_MS })
  return [
    startRenewals(parts),
    startScheduledPrices(parts),
    startRaisedQuotas(parts),
    startCaptureUpkeep(parts),
    startDeviceUpkeep(parts),
    pruning,
  ]
}

/** Renews subscriptions from the balances of owners who want that. Every node looks; each renewal is made once. */
function startRenewals({ store, clock, log }: ScheduledParts<Pick<Store, 'subscriptions'>>): PeriodicTask {
  return new PeriodicTask({
    async run() {
      const by = { nowMs: clock.now(), limit: RENEWALS_AT_ONCE, newId: () => newId('led', clock.now()) }
      const renewed = await store.subscriptions.renewDue(by)
      if (renewed.length > 0) log.info({ renewed: renewed.length }, 'renewed subscriptions from balances')
    },
    onError: (error) => log.error({ err: error }, 'failed to renew subscriptions; will retry in a minute'),
  }).start({ firstAfterMs: FIRST_RENEWALS_MS, everyMs: MINUTE_MS })
}

/** Ends the raises of keys' quotas when their time has come. Every node looks; each raise is ended once. */
function startRaisedQuotas({
  store,
  clock,
  log,
}: ScheduledParts<Pick<Store, 'together' | 'keys' | 'groups'>>): PeriodicTask {
  let hasFailed = false
  return new PeriodicTask({
    async run() {
      const nowMs = clock.now()
      const ended = await endDueRaises(store, { nowMs, newId: (prefix) => newId(prefix, nowMs) })
      hasFailed = false
      if (ended.length > 0) log.info({ keys: ended.length }, 'ended raised quotas of keys')
    },
    onError(error) {
      // While the database is away, once.
      if (!hasFailed) log.error({ err: error }, 'failed to end raised quotas; will retry every 2 s')
      hasFailed = true
    },
  }).start({ everyMs: QUOTAS_EVERY_MS })
}

/** Signs out devices whose time is over. Every node looks; each is ended once. */
function startDeviceUpkeep({
  store,
  clock,
  log,
}: ScheduledParts<Pick<Store, 'together' | 'devices' | 'settings'>>): PeriodicTask {
  return new PeriodicTask({
    async run() {
      const ended = await endDueDevices(store, clock.now())
      if (ended.length > 0) log.info({ devices: ended.length }, 'signed out devices whose time is over')
    },
    onError: (error) =>
      log.error({ err: error }, 'failed to sign out devices whose time is over; will retry in ten minutes'),
  }).start({ everyMs: PRUNING_MS })
}

/** Sets prices that were planned when their time comes. Every node looks at what it serves by; each is set once. */
function startScheduledPrices({
  store,
  snapshots,
  clock,
  log,
}: ScheduledParts<Pick<Store, 'together' | 'catalog' | 'groups'>> & WithSnapshot<'modelsByName'>): PeriodicTask {
  let notBefore = 0
  // Worked out anew only when the gateway serves by other models.
  let known: Snapshot['modelsByName'] | null = null
  let planned: readonly { readonly id: string; readonly at: number }[] = []
  const setDue = async (ids: readonly string[]) => {
    const { setDuePrices } = await import('../../control/scheduled/due-prices.ts')
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
      notBefore = clock.elapsed() + PRICES_AGAIN_AFTER_MS
      log.error({ err: error }, 'failed to set planned prices; will retry in 10 s')
    },
  }).start({ everyMs: PRICES_EVERY_MS })
}

const DROPPED = {
  locked: 'dropped a planned price of an import: the price was locked against imports since',
  too_dear: 'dropped a planned price: with the multiplier of a group it would be beyond what can be charged',
} as const

type CaptureStores = Pick<Store, 'captures' | 'settings' | 'together'>

/**
 * Ends captures whose time is over, and deletes what was kept for a day; everything, where captures are off. Every node looks;
 * each capture ends once.
 */
function startCaptureUpkeep({ store, clock, log }: ScheduledParts<CaptureStores>): PeriodicTask {
  return new PeriodicTask({
    run: () => keepUpCaptures(store, clock.now()),
    onError: (error) => log.error({ err: error }, 'failed to end or delete captures; will retry in a minute'),
  }).start({ firstAfterMs: 0, everyMs: MINUTE_MS })
}

/** One look. */
export async function keepUpCaptures(store: CaptureStores, nowMs: number): Promise<void> {
  const { capture_requests: isOn } = await readUpkeepSettings(store.settings)
  await store.together(async ({ captures, audit }) => {
    const ended = isOn ? await captures.endDue(nowMs) : await captures.deleteAll(nowMs)
    for (const each of ended) await audit.write(auditOfEnd(each, nowMs))
  })
  await store.captures.prune(nowMs)
}

/** Asks each upstream once a day for its list of models, where the setting is on. Every node looks; one of them asks. */
export function startModelChecks({
  store,
  snapshots,
  clock,
  log,
}: ScheduledParts<ModelCheckOptions['store']> & WithSnapshot<'upstreamsById'>): { stop(): Promise<void> } {
  const lookAt = (id: string) => lookAtUpstreamModels(snapshots.current.upstreamsById.get(id), clock)
  let isStopped = false
  const checks = new PeriodicTask({
    run: () => checkModels({ store, lookAt, clock, log }, () => isStopped),
    onError: (error) => log.warn({ err: error }, 'failed to check lists of models; will retry in a few minutes'),
  }).start({ firstAfterMs: FIRST_MODEL_CHECK_MS, everyMs: MINUTE_MS })
  return {
    async stop() {
      isStopped = true
      const over = new Promise((resolve) => void setTimeout(resolve, MODEL_CHECK_GRACE_MS).unref())
      await Promise.race([checks.stop(), over])
    },
  }
}

/** Begins to deliver alerts by these carriers; without any, it only announces ends and deletes old ones. */
export function startAlertSender(parts: {
  readonly carriers: readonly AlertCarrier[]
  readonly store: { readonly alerts: AlertStore }
  readonly clock: Clock
  readonly log: Logger
  /** How long alerts are kept. */
  readonly keptDays: number
}): AlertSender {
  const { carriers, store, clock, log, keptDays } = parts
  const sender = new AlertSender({
    store: store.alerts,
    carriers,
    clock,
    keptMs: keptDays * DAY_MS,
    random: Math.random,
    onGivenUp: (what) => log.warn(what, 'gave up on an alert that could not be delivered'),
    onError: (error) => log.error({ err: error }, 'failed to look up, note or delete alerts; will retry'),
  })
  sender.start()
  return sender
}
