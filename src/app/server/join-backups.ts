import { randomBytes } from 'node:crypto'
import type { BackupScheduleOptions, RunningSchedule } from '../backups/backup-schedule.ts'
import type { Settings } from '../installation/environment.ts'

/** Backups by themselves, where a directory is set for them. Without one their code is not loaded. */
export async function joinBackups(
  options: Pick<BackupScheduleOptions, 'clock' | 'log'> & { readonly settings: Settings },
): Promise<RunningSchedule | null> {
  const { backupDir: directory } = options.settings
  if (directory === null) return null
  const { startBackupSchedule } = await import('../backups/backup-schedule.ts')
  return startBackupSchedule({ ...options, directory, randomBytes })
}
