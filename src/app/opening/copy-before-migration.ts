/** The embedded database as it was before this version changed its tables, in case one has to go back. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pendingInFile } from '../../store/pending-migrations.ts'
import { ConfigurationError, type Settings } from '../installation/environment.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import { noteFor } from '../backups/backup-note.ts'
import { takeBackup } from '../backups/take-backup.ts'

/** Older ones are deleted. */
const KEPT = 3
const COPY = /^before-upgrade-[\d-]+T[\d-]+Z\.db$/

export interface CopyOptions {
  readonly randomBytes: (count: number) => Buffer
  readonly nowMs: () => number
  /** What it throws as StoppedBySignal is thrown on. */
  readonly onCopying?: (doneBytes: number, allBytes: number) => void
}

/**
 * Copies the embedded database beside itself where this version is about to change its tables, and returns the copy's path;
 * null: nothing is to be changed, there is no database yet, or it is PostgreSQL. A copy is a backup like any other. Throws
 * ConfigurationError where there is no room for it, before anything was changed.
 */
export async function copyBeforeMigration(
  settings: Settings,
  { randomBytes, nowMs, onCopying = () => {} }: CopyOptions,
): Promise<string | null> {
  const { dataDir } = settings
  if (settings.databaseUrl !== null || pendingInFile(dataDir).length === 0) return null
  const madeAt = nowMs()
  const path = join(dataDir, copyName(madeAt))
  const note = await noteFor(settings, { randomBytes, nowMs: madeAt })
  try {
    await takeBackup({ dataDirectory: dataDir, path, note, randomBytes, onProgress: onCopying })
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StoppedBySignal) throw error
    throw new ConfigurationError(
      `The database in TOLLGATE_DATA_DIR, ${JSON.stringify(dataDir)}, is to be brought up to this version, but no copy of it can be made there first (${error.message}): make room for one, or run "tollgate migrate --no-copy" when you have a backup of your own.`,
      { cause: error },
    )
  }
  const names = (await readdir(dataDir)).filter((name) => COPY.test(name)).sort()
  for (const name of names.slice(0, -KEPT)) await rm(join(dataDir, name), { force: true })
  return path
}

/** Names a copy so that the order of names is that of time. */
function copyName(madeAt: number): string {
  return `before-upgrade-${new Date(madeAt).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`
}
