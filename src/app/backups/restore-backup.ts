/** A backup becomes an installation again: unpacked aside, proved, and only then put in place. */
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changesBetween } from '../../access/audit.ts'
import type { LedgerProof, OnProofProgress } from '../../metering/funds/ledger.ts'
import { BackupError, type BackupNote, type OnProgress, unpackBackup } from '../../store/backup.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import type { Store } from '../../store/store.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import { auditedChange } from '../audited-change.ts'
import { ConfigurationError } from '../installation/environment.ts'
import { checkInstallationSecret } from '../installation/secret.ts'
import { openSecret } from './sealed-secret.ts'

export interface RestoreOrder {
  readonly path: string
  /** Made where it is missing. Beside a secret, and what an earlier try left, it has to be empty. */
  readonly directory: string
  /** What the environment gives; null: nothing. */
  readonly secret: string | null
  readonly passphrase: string | null
  /** False: everything is done but putting it in place. */
  readonly isKept: boolean
  readonly openStore: (directory: string) => Promise<Store>
  readonly randomBytes: (count: number) => Buffer
  readonly nowMs: () => number
  /** Hears how far the copy is. What it throws ends the work, as what `onProving` throws. */
  readonly onProgress: OnProgress
  /** The copy is whole, and looked through for damage now. */
  readonly onCopied: () => void
  /** The copy is sound, and opened now. */
  readonly onUnpacked: () => void
  /** Hears how far the proof of the books is. */
  readonly onProving?: OnProofProgress
  /** Ends the look for damage. Default: nothing does. */
  readonly signal?: AbortSignal
}

export interface Restored {
  /** Null: a database that another tool copied. */
  readonly note: BackupNote | null
  readonly proof: LedgerProof
  /** `unknown`: nothing says which secret this database was made with. */
  readonly secret: 'given' | 'restored' | 'unknown'
}

/** Refuses to restore. The message is one sentence. */
export class RestoreRefusal extends Error {
  override readonly name = 'RestoreRefusal'
}

const DRAFT = /^\.restore-[0-9a-f]{12}$/
const MAY_BE_THERE = ['secret', 'lost+found']
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/**
 * Unpacks a backup into an empty data directory, brings it up to this version and proves its books. Books that do not agree
 * are not put in place. The directory is as before when it rejects; when the process is killed, what is left of this try is
 * cleared away by the next. Throws RestoreRefusal.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { directory, isKept } = order
  await makeDirectory(directory, DIRECTORY_MODE)
  await clearForRestore(directory, isKept)
  const draft = join(directory, `.restore-${order.randomBytes(6).toString('hex')}`)
  await mkdir(draft, { mode: DIRECTORY_MODE })
  try {
    const restored = await unpackAndProve(order, draft)
    if (isKept && restored.proof.disagreements.length === 0) await putInPlace(draft, directory)
    return restored
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function clearForRestore(directory: string, isKept: boolean): Promise<void> {
  const names = await readdir(directory)
  const other = names.find((name) => !DRAFT.test(name) && !MAY_BE_THERE.includes(name))
  if (isKept && other !== undefined) {
    throw new RestoreRefusal(
      `${JSON.stringify(directory)} is not empty (it has ${JSON.stringify(other)}), and nothing is overwritten: name an empty directory with --into.`,
    )
  }
  for (const name of names) if (DRAFT.test(name)) await rm(join(directory, name), { recursive: true, force: true })
}

async function unpackAndProve(order: RestoreOrder, draft: string): Promise<Restored> {
  const note = await unpack(order, draft)
  const known = await knownSecret(order, note)
  if (known?.from === 'restored') {
    await writeFile(join(draft, 'secret'), `${known.secret}\n`, { mode: FILE_MODE, flush: true })
  }
  order.onUnpacked()
  const store = await order.openStore(draft)
  try {
    if (known !== null) await checkInstallationSecret(store.settings, known.secret)
    const proof = await store.ledger.prove(order.onProving === undefined ? {} : { onProgress: order.onProving })
    if (order.isKept && proof.disagreements.length === 0) await noteRestored(store, note, order.nowMs())
    return { note, proof, secret: known?.from ?? 'unknown' }
  } catch (error) {
    throw error instanceof ConfigurationError ? new RestoreRefusal(error.message) : error
  } finally {
    await store.close()
  }
}

/** Writes into the audit of the database that is put in place, which ends with the backup. */
async function noteRestored(store: Store, note: BackupNote | null, nowMs: number): Promise<void> {
  const madeAt = note === null ? null : new Date(note.madeAt).toISOString()
  const changes = changesBetween({}, { backup_made_at: madeAt })
  await auditedChange({ store, nowMs }, (_stores, audit) =>
    audit({ action: 'system.restore', subject: null, accountId: null, changes }),
  )
}

async function unpack(order: RestoreOrder, draft: string): Promise<BackupNote | null> {
  const { path, onProgress, onCopied, signal = new AbortController().signal } = order
  try {
    return await unpackBackup(path, draft, { onProgress, onCopied, signal })
  } catch (error) {
    if (error instanceof BackupError) throw new RestoreRefusal(`${path} ${error.message}.`)
    throw error
  }
}

interface KnownSecret {
  readonly secret: string
  readonly from: 'given' | 'restored'
}

/** The environment's, else the file's that is there already, else the one in the backup. */
async function knownSecret(
  { secret, passphrase, directory }: RestoreOrder,
  note: BackupNote | null,
): Promise<KnownSecret | null> {
  if (secret !== null) return { secret, from: 'given' }
  const there = await readFile(join(directory, 'secret'), 'utf8').catch(() => null)
  if (there !== null) return { secret: there.trim(), from: 'given' }
  if (note?.sealedSecret == null || passphrase === null) return null
  const opened = await openSecret(note.sealedSecret, passphrase)
  if (opened !== null) return { secret: opened, from: 'restored' }
  throw new RestoreRefusal(
    'The secret in the backup cannot be opened with TOLLGATE_BACKUP_PASSPHRASE: give the passphrase that the backup was made with, or unset it to restore without the secret.',
  )
}

/** The secret first: a gateway makes one where it finds none, but only beside no database. */
async function putInPlace(draft: string, directory: string): Promise<void> {
  for (const name of ['secret', 'tollgate.db']) {
    await rename(join(draft, name), join(directory, name)).catch((error: unknown) => {
      // Only the secret may be missing: it is not in every backup.
      if (name === 'secret' && error instanceof Error && 'code' in error && error.code === 'ENOENT') return
      throw error
    })
  }
  await chmod(join(directory, 'tollgate.db'), FILE_MODE)
  await syncDirectory(directory)
}
