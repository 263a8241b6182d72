import { randomBytes } from 'node:crypto'
import { systemClock as clock } from '../../core/clock.ts'
import type { Figures } from '../../telemetry/figures.ts'
import { openTelemetry } from '../open-telemetry/open-telemetry.ts'
import { readBackupStanding } from './backup-age.ts'
import { type ControlPlaneOptions, joinControlPlane } from './join-front.ts'
import type { NodeOptions } from './join-node.ts'
import type { Listener } from './lazy-listener.ts'
import { joinMetrics, metricsOr, processFigures } from './metrics/join-metrics.ts'
import { startTroubleWatch } from './metrics/start-trouble-watch.ts'
import type { RunningSchedule } from '../backups/backup-schedule.ts'
import { RetentionNotes } from '../retention/retention-notes.ts'
import { startRetention } from '../retention/retention-schedule.ts'
import { Maintenance } from './maintenance.ts'
import { openMetricsPort } from './metrics/metrics-port.ts'
import { readAlertTemplate } from '../../control/settings/alert-template.ts'
import { alertCarriers } from '../../alerts/alert-carriers.ts'
import { type ServedNode, serveNode } from './serve-node.ts'
import { startModelChecks, startScheduledWork, startAlertSender } from './scheduled-work.ts'

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
  const backups = await startBackups(options)
  const retention = startRetention({ store, settings, clock, log, notes: retentionNotes })
  const { snapshots } = served
  const scheduled = startScheduledWork({ store, snapshots, clock, log })
  const modelChecks = startModelChecks({ store, snapshots, clock, log })
  // The first one may take minutes.
  const isBackupOld = async () =>
    backups?.isBusy !== true && (await readBackupStanding(settings, clock.now()))?.isOld === true
  const watch = startTroubleWatch({ gather, isBackupOld, store, carriers, clock, log })

  const drain = async (delayMs = settings.shutdownDelayMs) => {
    // What no request depends on, and some of it takes long to stop.
    const aside = [maintenance, retention, modelChecks, ...(backups === null ? [] : [backups])]
    await Promise.all([served.finish(delayMs), workers?.drain(delayMs), ...aside.map((each) => each.stop())])
    await Promise.all([...scheduled, watch, alerts].map((each) => each.stop()))
    metricsPort?.close()
    await telemetry?.stop()
    await served.leave()
  }
  return { origin: served.origin, drain }
}

/** Backups by themselves, where a directory is set for them. Without one their code is not loaded. */
async function startBackups({ settings, log }: StartOptions): Promise<RunningSchedule | null> {
  const { backupDir: directory } = settings
  if (directory === null) return null
  const { startBackupSchedule } = await import('../backups/backup-schedule.ts')
  return startBackupSchedule({ settings, clock, log, directory, randomBytes })
}

async function startThreads({ workers, stop }: StartOptions, { port, control }: ServedNode): Promise<void> {
  if (workers === undefined || stop?.isAsked === true) return
  const up = workers.start({ port, control })
  await (stop === undefined ? up : Promise.race([up, stop.asked]))
}
