import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BackupNote, type OnProgress, writeBackup } from '../../store/backup.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import { version } from '../installation/version.ts'
import type { Settings } from '../installation/environment.ts'
import { readStoredSecret } from '../installation/secret.ts'
import { sealSecret } from './sealed-secret.ts'

export interface BackupOrder {
  readonly dataDirectory: string
  /** The file that it becomes. */
  readonly path: string
  readonly note: BackupNote
  readonly randomBytes: (count: number) => Buffer
  readonly onProgress: OnProgress
}

/**
 * Makes a backup beside a running gateway, and returns its size in bytes. The name appears with its whole content or not at
 * all. Rejects with what the file system or SQLite says; nothing is left then, unless the process was killed.
 */
export async function takeBackup({ dataDirectory, path, note, randomBytes, onProgress }: BackupOrder): Promise<number> {
  const draft = `${path}.part-${randomBytes(6).toString('hex')}`
  try {
    await writeBackup(dataDirectory, draft, { note, onProgress })
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncDirectory(dirname(path))
    return size
  } catch (error) {
    for (const leftover of [draft, `${draft}-journal`]) await rm(leftover, { force: true })
    throw error
  }
}

/** What a backup of this installation says of itself. With a passphrase it has the secret. Throws ConfigurationError. */
export async function noteFor(
  { secret, dataDir, backupPassphrase }: Pick<Settings, 'secret' | 'dataDir' | 'backupPassphrase'>,
  { randomBytes, nowMs }: { readonly randomBytes: (count: number) => Buffer; readonly nowMs: number },
): Promise<BackupNote> {
  const plain = backupPassphrase === null ? null : (secret ?? (await readStoredSecret(dataDir)))
  const sealedSecret =
    plain === null || backupPassphrase === null ? null : await sealSecret(plain, backupPassphrase, randomBytes)
  return { version: version(), madeAt: nowMs, sealedSecret }
}
