/** The backups in a directory: their names, and which of them are kept. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface BackupFile {
  readonly path: string
  /** Epoch milliseconds, from the name. */
  readonly madeAt: number
}

/** The names of backups, as a pattern. */
export const BACKUP_FILES = 'tollgate-*.db'
const NAME = /^tollgate-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/
/** What is being written: renamed when it is whole, so that a backup that broke off is never taken for one. */
const DRAFT = /^tollgate-.*\.db\.part-[0-9a-f]{12}$/
/** Longer than any backup takes: one that is older was left by a process that ended. */
const OLDEST_DRAFT_MS = 86_400_000

/** Names the second, so that the order of names is that of time. */
export function backupName(madeAt: number): string {
  return `tollgate-${new Date(madeAt).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`
}

/** Newest first. A directory that is missing has none. Rejects with the system's error otherwise. */
export async function listBackups(directory: string): Promise<readonly BackupFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, day, hour, minute, second] = NAME.exec(name) ?? []
    const madeAt = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(madeAt) ? [] : [{ path: join(directory, name), madeAt }]
  })
  return found.toSorted((a, b) => b.madeAt - a.madeAt)
}

/** Deletes all but the newest `keep` backups, and what was left half written. Files with other names are not touched. */
export async function deleteOldBackups(directory: string, keep: number, nowMs: number): Promise<readonly string[]> {
  const old = (await listBackups(directory)).slice(Math.max(1, keep)).map(({ path }) => path)
  for (const path of old) await rm(path, { force: true })
  for (const name of await readdir(directory)) {
    if (!DRAFT.test(name)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }))
    if (nowMs - mtimeMs > OLDEST_DRAFT_MS) await rm(path, { force: true })
  }
  return old
}
