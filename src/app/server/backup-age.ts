import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HOUR_MS } from '../../core/durations.ts'
import type { BackupStanding } from '../../control/parts.ts'
import { BACKUP_FILES } from '../backups/backup-files.ts'

/** Where backups are looked for, and how old the newest may be. */
export interface BackupWatchSettings {
  /** A directory, or a path with `*` in its last part. null: none are looked for. */
  readonly backupFiles: string | null
  readonly backupMaxAgeHours: number
  /** Where the gateway makes its own; null: it makes none. These are looked for unless others are named. */
  readonly backupDir: string | null
  /** Hours between two of them. */
  readonly backupEvery: number
}

/** How many files are looked at, from the last name backwards: names of backups begin or end with their time. */
const FILES_LIMIT = 2_000
/** A backup that fails is tried again some times before admins are alerted. */
const GRACE_HOURS = 2

/** The age of the newest backup; null: none are looked for. A file without a byte in it is none. Never rejects. */
export async function readBackupStanding(settings: BackupWatchSettings, nowMs: number): Promise<BackupStanding | null> {
  const { backupFiles, backupDir, backupEvery, backupMaxAgeHours } = settings
  const files = backupFiles ?? (backupDir === null ? null : join(backupDir, BACKUP_FILES))
  if (files === null) return null
  const maxAgeHours = backupFiles === null ? Math.max(backupMaxAgeHours, backupEvery + GRACE_HOURS) : backupMaxAgeHours
  const newestAtMs = await newestOf(files)
  const isOld = newestAtMs === null || nowMs - newestAtMs > maxAgeHours * HOUR_MS
  return { newestAtMs, isOld, maxAgeHours }
}

/** When the newest file was written, in epoch milliseconds; null: there is none, or none can be seen. */
async function newestOf(files: string): Promise<number | null> {
  const pattern = basename(files)
  const isPattern = pattern.includes('*')
  const directory = isPattern ? dirname(files) : files
  const fits = isPattern ? patternOf(pattern) : /^[^.]/
  const names = await readdir(directory).catch(() => [])
  const shown = names.filter((name) => fits.test(name)).toSorted()
  const times = await Promise.all(
    shown.slice(-FILES_LIMIT).map((name) => stat(join(directory, name)).then(timeOf, () => null)),
  )
  return times.reduce((newest, time) => (time !== null && (newest === null || time > newest) ? time : newest), null)
}

function timeOf(file: { isFile(): boolean; readonly size: number; readonly mtimeMs: number }): number | null {
  return file.isFile() && file.size > 0 ? file.mtimeMs : null
}

function patternOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
