import type { AdminAlertStore } from '../../../alerts/alert.ts'
import type { AlertCarrier, OutgoingAlert } from '../../../alerts/carrier.ts'
import type { Clock } from '../../../core/clock.ts'
import { HOUR_MS } from '../../../core/durations.ts'
import type { Logger } from '../../../core/log.ts'
import { ZERO_NANO_USD } from '../../../core/money.ts'
import type { Figures } from '../../../telemetry/figures.ts'
import { PeriodicTask } from '../../periodic-task.ts'
import { TroubleWatch, type Trouble } from './trouble-watch.ts'

const LOOK_EVERY_MS = 15_000

export interface TroubleWatchOptions {
  gather(): Promise<Figures>
  /** Whether the newest backup is older than it may be, or missing. */
  isBackupOld(): Promise<boolean>
  readonly store: { readonly alerts: AdminAlertStore }
  /** The ways that are configured: what cannot be stored is posted directly. */
  readonly carriers: readonly AlertCarrier[]
  readonly clock: Clock
  readonly log: Logger
}

/** Looks every 15 s, aside from all requests, for what admins are to hear of. */
export function startTroubleWatch(options: TroubleWatchOptions): { stop(): Promise<void> } {
  const { gather, isBackupOld, log } = options
  const end = new AbortController()
  const watch = new TroubleWatch({
    tell: (trouble) => tell(trouble, options, end.signal),
    onError: (error) => log.warn({ err: error }, 'failed to alert admins; will retry'),
  })
  const task = new PeriodicTask({
    async run() {
      const [figures, hasOldBackup] = await Promise.all([gather(), isBackupOld()])
      await watch.look(figures, hasOldBackup)
    },
    onError: (error) => log.warn({ err: error }, 'failed to read the figures of this process'),
  }).start({ everyMs: LOOK_EVERY_MS })
  return {
    stop() {
      end.abort()
      return task.stop()
    },
  }
}

async function tell(trouble: Trouble, options: TroubleWatchOptions, signal: AbortSignal): Promise<void> {
  const { store, carriers, clock, log } = options
  log.warn({ trouble: trouble.kind, about: trouble.about }, 'alerting admins')
  if (trouble.kind !== 'store_failing') return store.alerts.tellAdmins(trouble, clock.now())
  const ofAll = carriers.filter(({ way }) => way === 'webhook')
  const outcomes = await Promise.all(ofAll.map((carrier) => carrier.send(directAlert(clock.now()), signal)))
  const failed = outcomes.find(({ kind }) => kind !== 'delivered')
  if (failed !== undefined && 'failure' in failed) throw new Error(`the alert was not delivered: ${failed.failure}`)
}

/** An alert that the database is away, to no account: none can be read then. */
function directAlert(nowMs: number): OutgoingAlert {
  return {
    id: `store_failing:${Math.floor(nowMs / HOUR_MS)}`,
    kind: 'store_failing',
    accountId: '',
    accountEmail: '',
    subjectId: '',
    subjectName: '',
    percent: null,
    limit: ZERO_NANO_USD,
    used: ZERO_NANO_USD,
    window: null,
    resetsAt: null,
    createdAt: nowMs,
  }
}
