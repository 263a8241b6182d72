import { randomBytes } from 'node:crypto'
import type { BackupScheduleOptions, RunningSchedule } from '../backups/backup-schedule.ts'

/** Backups by themselves, where a directory is set for them. Without one their code is not loaded. */
export async function joinBackups(
  options: Omit<BackupScheduleOptions, 'randomBytes'>,
): Promise<RunningSchedule | null> {
  if (options.settings.backupDir === null) return null
  const { startBackupSchedule } = await import('../backups/backup-schedule.ts')
  return startBackupSchedule({ ...options, randomBytes })
}
