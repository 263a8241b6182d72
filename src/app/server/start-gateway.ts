import { systemClock as clock } from '../../core/clock.ts'
import type { Figures } from '../../telemetry/figures.ts'
import { openTelemetry } from '../open-telemetry/open-telemetry.ts'
import { readBackupStanding } from './backup-age.ts'
import { type ControlPlaneOptions, joinControlPlane } from './join-front.ts'
import type { NodeOptions } from './join-node.ts'
import type { Listener } from './lazy-listener.ts'
import { joinMetrics, metricsOr, processFigures } from './metrics/join-metrics.ts'
import { startTroubleWatch } from './metrics/start-trouble-watch.ts'
import { PeriodicTask } from '../periodic-task.ts'
import { joinBackups } from './join-backups.ts'
import { RetentionNotes } from '../retention/retention-notes.ts'
import { startRetention } from '../retention/retention-schedule.ts'
import { Maintenance } from './maintenance.ts'
import { openMetricsPort } from './metrics/metrics-port.ts'
import { readAlertTemplate } from '../../control/settings/alert-template.ts'
import { alertCarriers } from '../../alerts/alert-carriers.ts'
import { type ServedNode, serveNode } from './serve-node.ts'
import { startCaptureUpkeep } from './start-capture-upkeep.ts'
import { startModelChecks } from './start-model-checks.ts'
import { startRaisedQuotas } from './start-raised-quotas.ts'
import { startRenewals } from './start-renewals.ts'
import { startScheduledPrices } from './start-scheduled-prices.ts'
import { startAlertSender } from './start-alert-sender.ts'

/** How often stored responses that have grown too old are forgotten. */
const PRUNING_MS = 600_000

export interface StartOptions extends NodeOptions, Omit<ControlPlaneOptions, 'maintenance' | 'retentionNotes'> {
  /** The threads beside this one that carry requests; absent: there are none. */
  readonly workers?: WorkerThreads
  /** Asks for the end, maybe before all threads are up: those are not waited for then. Absent: nothing does. */
  readonly stop?: { readonly asked: Promise<void>; readonly isAsked: boolean }
}

/** The threads beside the main one that carry requests: see `WorkerPool`. */
interface WorkerThreads {
  readonly running: number
  figures(): Promise<readonly Figures[]>
  refuseTakenAddress(): Promise<void>
  start(main: { readonly port: number; readonly control: Listener }): Promise<void>
  drain(delayMs: number): Promise<void>
}

export interface RunningGateway {
  /** `http://host:port`, with the port that was really taken. */
  readonly origin: string
  /**
   * Serves for `delayMs` while it is not ready (left out: `settings.shutdownDelayMs`), lets running requests end within
   * `settings.drainMs`, settles and gives everything back. The store stays open.
   */
  drain(delayMs?: number): Promise<void>
}

/** Joins the concrete parts into a running gateway, and listens. Rejects when the address cannot be taken. */
export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { settings, store, log, workers } = options
  if (workers !== undefined) await workers.refuseTakenAddress()
  const metricsPort = await openMetricsPort(settings)
  const startedAtMs = clock.now() - process.uptime() * 1_000
  const telemetry = await openTelemetry({ settings: settings.telemetry, log, startedAtMs })
  const maintenance = new Maintenance({ settings, clock, log })
  const retentionNotes = new RetentionNotes()
  const served = await serveNode({
    ...options,
    observer: telemetry?.observer,
    control: (following) => {
      const { node, snapshots } = following
      const metrics = joinMetrics({ settings, store, log, workers }, node, snapshots)
      metricsPort?.serve(metrics)
      return metricsOr(metrics, joinControlPlane({ ...options, maintenance, retentionNotes }, following))
    },
  })
  await startThreads(options, served)
  const carriers = await alertCarriers(settings, clock, () => readAlertTemplate(store.settings))
  const alerts = startAlertSender({ carriers, store, clock, log, keptDays: settings.keepAlerts })
  const gather = () => processFigures({ settings, store, log, workers }, served.node, served.snapshots)
  telemetry?.sendAlso(gather)
  const backups = await joinBackups({ settings, clock, log })
  const retention = startRetention({ store, settings, clock, log, notes: retentionNotes })
  const renewals = startRenewals({ store, clock, log })
  const prices = startScheduledPrices({ store, snapshots: served.snapshots, clock, log })
  const raises = startRaisedQuotas({ store, clock, log })
  const modelChecks = startModelChecks({ store, snapshots: served.snapshots, clock, log })
  const captures = startCaptureUpkeep({ store, clock, log })
  // The first one may take minutes.
  const isBackupOld = async () =>
    backups?.isBusy !== true && (await readBackupStanding(settings, clock.now()))?.isOld === true
  const watch = startTroubleWatch({ gather, isBackupOld, store, carriers, clock, log })
  const pruning = new PeriodicTask({
    run: () => store.storedResponses.prune(clock.now()),
    onError: (error) => log.warn({ err: error }, 'failed to delete old stored responses'),
  }).start({ everyMs: PRUNING_MS })

  const drain = async (delayMs = settings.shutdownDelayMs) => {
    // What no request depends on, and some of it takes long to stop.
    const aside = [maintenance, retention, modelChecks, ...(backups === null ? [] : [backups])]
    await Promise.all([served.finish(delayMs), workers?.drain(delayMs), ...aside.map((each) => each.stop())])
    await Promise.all([renewals, prices, raises, captures, watch, alerts, pruning].map((each) => each.stop()))
    metricsPort?.close()
    await telemetry?.stop()
    await served.leave()
  }
  return { origin: served.origin, drain }
}

async function startThreads({ workers, stop }: StartOptions, { port, control }: ServedNode): Promise<void> {
  if (workers === undefined || stop?.isAsked === true) return
  const up = workers.start({ port, control })
  await (stop === undefined ? up : Promise.race([up, stop.asked]))
}
