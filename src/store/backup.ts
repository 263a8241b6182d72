/** Copies of the embedded database: made while it is written, read again, and put in place. PostgreSQL has its own tools. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { backup as copyPages, DatabaseSync } from 'node:sqlite'
import { findDamage } from './find-damage.ts'
import { foldedFiles, JournalFiles } from './sqlite/journal/journal-files.ts'

/** What a backup says of itself. */
export interface BackupNote {
  /** The version of Tollgate that wrote it. */
  readonly version: string
  /** Epoch milliseconds. */
  readonly madeAt: number
  /** The installation's secret under a passphrase; null: it is not in the backup. */
  readonly sealedSecret: string | null
}

/** Called a few times a second. What it throws stops the work. */
export type OnProgress = (doneBytes: number, allBytes: number) => void

/** A file that is not a backup, or not a sound one. The message ends a sentence that names the file. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const FILE_MODE = 0o600
/** A step reads 4 MB; between two, the caller hears how far it is. */
const PAGES_A_STEP = 1_000
/** Not one of the gateway's tables: it is there in a backup alone. */
const NOTE_TABLE = 'tollgate_backup'

/**
 * Copies the database of the data directory to `path`, where nothing may be, with a note in it. It is one moment of the
 * database: a transaction is held open meanwhile, so that writers go on beside it and the copy never begins anew.
 * Rejects with what the file system or SQLite says, or with what `onProgress` throws.
 */
export async function writeBackup(
  dataDirectory: string,
  path: string,
  { note, onProgress }: { readonly note: BackupNote; readonly onProgress: OnProgress },
): Promise<void> {
  // SQLite would make it readable for others.
  await (await open(path, 'wx', FILE_MODE)).close()
  const file = join(dataDirectory, 'tollgate.db')
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  let unfolded: readonly Uint8Array[]
  try {
    source.exec('begin')
    const pageBytes = Number(source.prepare('pragma page_size').get()?.['page_size'] ?? 0)
    source.prepare('select count(*) from sqlite_master').get()
    unfolded = unfoldedIn(source, file)
    await copyPages(source, path, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress((totalPages - remainingPages) * pageBytes, totalPages * pageBytes),
    })
  } finally {
    source.close()
  }
  finishCopy(path, note, unfolded)
  await sync(path)
}

/** Batches of settlements that are durable beside the database, and not in it. */
function unfoldedIn(source: DatabaseSync, file: string): readonly Uint8Array[] {
  if (!hasTable(source, 'settle_files')) return []
  const files = new JournalFiles(file)
  try {
    return foldedFiles(source).flatMap((folded) => files.unfolded(folded).map(({ batch }) => batch))
  } finally {
    files.close()
  }
}

/** Everything in one file: none beside it that could be left behind when it is moved. */
function finishCopy(path: string, note: BackupNote, unfolded: readonly Uint8Array[]): void {
  const copy = new DatabaseSync(path)
  try {
    const keep = unfolded.length === 0 ? null : copy.prepare('insert into settle_journal (batch) values (?)')
    for (const batch of unfolded) keep?.run(batch)
    // They are files of the installation that was copied.
    if (hasTable(copy, 'settle_files')) copy.exec('delete from settle_files')
    // Tokens end within hours, and are minted anew: a copy that is kept for years has none.
    if (hasTable(copy, 'minted_tokens')) copy.exec('pragma secure_delete = on; delete from minted_tokens')
    copy.exec(`pragma journal_mode = delete; create table ${NOTE_TABLE} (name text primary key, value text not null)`)
    const insert = copy.prepare(`insert into ${NOTE_TABLE} values (?, ?)`)
    insert.run('version', note.version)
    insert.run('made_at', String(note.madeAt))
    if (note.sealedSecret !== null) insert.run('sealed_secret', note.sealedSecret)
  } finally {
    copy.close()
  }
}

export interface UnpackListener {
  readonly onProgress: OnProgress
  /** The copy is whole; now all of it is looked through for damage. */
  readonly onCopied: () => void
  /** Ends the look for damage. */
  readonly signal: AbortSignal
}

/**
 * Copies a backup into the directory as its database, looks through all of it for damage, and returns its note; null: it is
 * a database of Tollgate that another tool copied. Throws BackupError; what was copied is left to the caller.
 */
export async function unpackBackup(
  path: string,
  directory: string,
  { onProgress, onCopied, signal }: UnpackListener,
): Promise<BackupNote | null> {
  const target = join(directory, 'tollgate.db')
  await copyInSteps(path, target, onProgress)
  onCopied()
  const damage = await findDamage(target, signal)
  if (damage !== null) throw new BackupError(damage)
  const database = new DatabaseSync(target)
  try {
    if (!hasTable(database, 'migrations')) throw new BackupError('is a database, but not one of Tollgate')
    return takeNote(database)
  } finally {
    database.close()
    await sync(target)
  }
}

function takeNote(database: DatabaseSync): BackupNote | null {
  if (!hasTable(database, NOTE_TABLE)) return null
  const rows = database.prepare(`select name, value from ${NOTE_TABLE}`).all()
  const valueOf = (name: string): string | null => {
    const found = rows.find((row) => row['name'] === name)?.['value']
    return typeof found === 'string' ? found : null
  }
  database.exec(`drop table ${NOTE_TABLE}`)
  return {
    version: valueOf('version') ?? 'unknown',
    madeAt: Number(valueOf('made_at') ?? 0),
    sealedSecret: valueOf('sealed_secret'),
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(name) !== undefined
}

const STEP_BYTES = 4 * 1024 * 1024

async function copyInSteps(from: string, to: string, onProgress: OnProgress): Promise<void> {
  await using source = await open(from, 'r')
  await using target = await open(to, 'wx', FILE_MODE)
  const { size } = await source.stat()
  const buffer = Buffer.allocUnsafe(STEP_BYTES)
  let done = 0
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, STEP_BYTES, done)
    if (bytesRead === 0) return
    await target.writeFile(buffer.subarray(0, bytesRead))
    done += bytesRead
    onProgress(done, Math.max(size, done))
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}
