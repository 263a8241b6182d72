import type { BackupNote } from '../../store/backup.ts'
import { version } from '../installation/version.ts'
import type { Settings } from '../installation/environment.ts'
import { readStoredSecret } from '../installation/secret.ts'
import { sealSecret } from './sealed-secret.ts'

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
