/** Backups that a running gateway makes by itself. That none comes about is seen by their age (`server/backup-age.ts`). */
import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { HOUR_MS } from '../../core/durations.ts'
import type { Logger } from '../../core/log.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import type { Settings } from '../installation/environment.ts'
import { PeriodicTask } from '../periodic-task.ts'
import { backupName, deleteOldBackups, listBackups } from './backup-files.ts'
import { noteFor, takeBackup } from './take-backup.ts'

const LOOK_EVERY_MS = 60_000
/** How soon a backup that failed is tried again. */
const AGAIN_AFTER_MS = 600_000
/** Clocks differ; a backup from further ahead was made by a wrong one. */
const AHEAD_MS = HOUR_MS

export interface BackupScheduleOptions {
  /** Where they go. */
  readonly directory: string
  readonly settings: Pick<Settings, 'backupEvery' | 'backupKeep' | 'backupPassphrase' | 'secret' | 'dataDir'>
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (count: number) => Buffer
}

export interface RunningSchedule {
  /** One is being made, or looked for. */
  readonly isBusy: boolean
  stop(): Promise<void>
}

/** Looks once a minute whether a backup is due; the first is due at once. */
export function startBackupSchedule(options: BackupScheduleOptions): RunningSchedule {
  const schedule = new BackupSchedule(options)
  let isStopped = false
  const task = new PeriodicTask({
    run: () => schedule.look(() => isStopped),
    onError: (error) => options.log.warn({ err: error }, 'failed to list the backups'),
  }).start({ everyMs: LOOK_EVERY_MS })
  void task.run()
  return {
    get isBusy() {
      return task.isRunning
    },
    stop() {
      isStopped = true
      return task.stop()
    },
  }
}

/** When the next backup is due, by the names of those that are there: so a restart does not make one too many. */
export class BackupSchedule {
  readonly #options: BackupScheduleOptions
  readonly #everyMs: number
  #notBefore = -Infinity

  constructor(options: BackupScheduleOptions) {
    this.#options = options
    this.#everyMs = options.settings.backupEvery * HOUR_MS
  }

  /** Makes a backup if one is due. Rejects when the directory cannot be read; a backup that fails is logged. */
  async look(isStopped: () => boolean = () => false): Promise<void> {
    const { clock, directory } = this.#options
    const now = clock.now()
    await makeDirectory(directory, 0o700)
    const newest = (await listBackups(directory)).find(({ madeAt }) => madeAt <= now + AHEAD_MS)
    if (newest === undefined || now - newest.madeAt >= this.#everyMs) await this.#make(isStopped)
  }

  async #make(isStopped: () => boolean): Promise<void> {
    const { settings, clock, log, randomBytes, directory } = this.#options
    const now = clock.now()
    if (clock.elapsed() < this.#notBefore) return
    const path = join(directory, backupName(now))
    const stopIfAsked = () => {
      if (isStopped()) throw new Stopped()
    }
    try {
      const note = await noteFor(settings, { randomBytes, nowMs: now })
      const order = { dataDirectory: settings.dataDir, path, note, randomBytes, onProgress: stopIfAsked }
      const bytes = await takeBackup(order)
      const deleted = await deleteOldBackups(directory, settings.backupKeep, now)
      log.info({ path, bytes, ms: clock.now() - now, deleted: deleted.length }, 'made a backup')
    } catch (error) {
      if (error instanceof Stopped) return
      this.#notBefore = clock.elapsed() + AGAIN_AFTER_MS
      log.error({ err: error, path }, 'failed to back up; will retry in ten minutes')
    }
  }
}

/** The gateway ends: the next one that starts makes the backup. */
class Stopped extends Error {}
