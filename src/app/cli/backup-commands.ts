import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../../store/make-directory.ts'
import { backupName, deleteOldBackups } from '../backups/backup-files.ts'
import { noteFor, takeBackup } from '../backups/take-backup.ts'
import { restoreBackup, RestoreRefusal, type Restored } from '../backups/restore-backup.ts'
import { readEnvironment, type Settings } from '../installation/environment.ts'
import { openDatabase, requireInstallation } from '../opening/open-installation.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import { sayProof } from './books.ts'
import { CommandFailure, UsageError, type CliHost } from './cli-host.ts'
import type { Invocation, CommandRun } from './command.ts'
import { CountedProgress, megabytes, Progress, TimedStep } from './progress.ts'
import { opening } from './opening.ts'

/** Copies the embedded database beside a running gateway: into TOLLGATE_BACKUP_DIR, another directory, or a file. */
export const backup: CommandRun = async (call, host) => {
  const settings = embeddedSettings(host, 'pg_dump')
  requireInstallation(settings)
  const { path, directory } = await targetOf(call, settings, host)
  const note = await noteFor(settings, { randomBytes: host.randomBytes, nowMs: host.nowMs() })
  const progress = new Progress(host, `Copying the database to ${path}`)
  const order = { dataDirectory: settings.dataDir, path, note, randomBytes: host.randomBytes }
  const bytes = await carriedOut(host, progress, ({ check }) =>
    takeBackup({
      ...order,
      onProgress(done, all) {
        check()
        progress.at(done, all)
      },
    }),
  )
  if (directory !== null) {
    const deleted = await deleteOldBackups(directory, settings.backupKeep, host.nowMs())
    if (deleted.length > 0)
      host.remark(`Older than the newest ${settings.backupKeep}, and deleted: ${deleted.length}\n`)
  }
  host.print(`${path} (${megabytes(bytes)})\n`)
  host.remark(
    note.sealedSecret === null
      ? `The secret is not in it: keep ${settings.secret === null ? join(settings.dataDir, 'secret') : 'TOLLGATE_SECRET'} as well, or set TOLLGATE_BACKUP_PASSPHRASE to have it in there, encrypted.\n`
      : 'The secret is in it, under TOLLGATE_BACKUP_PASSPHRASE: keep that elsewhere.\n',
  )
  return 0
}

/** Puts a backup into an empty data directory once its books are proved; with --rehearse only proves them. */
export const restore: CommandRun = async (call, host) => {
  const [path, ...more] = call.operands
  if (path === undefined || more.length > 0) throw new UsageError('Name one backup: tollgate restore FILE.')
  if (!existsSync(path)) throw new CommandFailure(`There is no file ${JSON.stringify(path)}.`)
  const settings = embeddedSettings(host, 'pg_restore')
  const isKept = !call.has('rehearse')
  await using target = await restoreDirectory(call, settings, isKept)
  const { directory } = target
  const copying = new Progress(host, `Copying ${path}`)
  const proving = new CountedProgress(host)
  let shown: { end(): void } = copying
  const next = (step: { end(): void }): void => {
    shown.end()
    shown = step
  }
  const order = { path, directory, secret: settings.secret, passphrase: settings.backupPassphrase, isKept }
  const restored = await carriedOut(host, { end: () => shown.end() }, ({ check, signal }) =>
    restoreBackup({
      ...order,
      signal,
      openStore: async (draft) => {
        using options = opening(host, { copiesFirst: false, draft })
        return await openDatabase({ ...settings, dataDir: draft }, options)
      },
      randomBytes: host.randomBytes,
      nowMs: () => host.nowMs(),
      onProgress(done, all) {
        check()
        copying.at(done, all)
      },
      onCopied: () => next(new TimedStep(host, 'Looking through it for damage')),
      onUnpacked() {
        next(proving)
        host.remark('Proving the books …\n')
      },
      onProving(...row) {
        check()
        proving.at(...row)
      },
    }),
  )
  return sayRestored(restored, { host, directory, isKept })
}

/** Where to restore to. A rehearsal has a directory of its own, which goes away with it. */
async function restoreDirectory(
  call: Invocation,
  settings: Settings,
  isKept: boolean,
): Promise<AsyncDisposable & { directory: string }> {
  const given = call.text('into') ?? (isKept ? settings.dataDir : null)
  if (given !== null) return { directory: resolve(given), [Symbol.asyncDispose]: async () => {} }
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-rehearsal-'))
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) }
}

function sayRestored(
  { note, proof, secret }: Restored,
  { host, directory, isKept }: { host: CliHost; directory: string; isKept: boolean },
): number {
  if (note !== null) host.remark(`Made by Tollgate ${note.version} at ${new Date(note.madeAt).toISOString()}.\n`)
  const code = sayProof(proof, host)
  if (code !== 0) {
    host.remark('The books do not agree, so nothing was put in place.\n')
    return code
  }
  if (!isKept) {
    host.remark('The rehearsal is over, and nothing of it was kept.\n')
    return code
  }
  host.remark(`Restored to ${directory}. ${SECRET_SENTENCES[secret]}\n`)
  return code
}

const SECRET_SENTENCES: Readonly<Record<Restored['secret'], string>> = {
  given: 'The secret given is the one that it was made with.',
  restored: 'The secret is restored with it.',
  unknown: 'The secret is not restored: put the old file "secret" there, or set TOLLGATE_SECRET, before you start it.',
}

function embeddedSettings(host: CliHost, tool: string): Settings {
  const settings = readEnvironment(host.environment)
  if (settings.databaseUrl === null) return settings
  throw new CommandFailure(
    `The database is PostgreSQL, which has its own tools for this: see ${tool}, and "Backups" in docs/operating.md.`,
  )
}

/** A directory, made where its path ends with a slash, gets a file named by the time, of which so many are kept; a file has to be new. */
async function targetOf(
  call: Invocation,
  settings: Settings,
  host: CliHost,
): Promise<{ readonly path: string; readonly directory: string | null }> {
  const [given, ...more] = call.operands
  const target = given ?? settings.backupDir
  if (target === null || more.length > 0) {
    throw new UsageError('Name one file or directory, or set TOLLGATE_BACKUP_DIR: tollgate backup FILE.')
  }
  const isNamedAsOne = /[/\\]$/.test(target) && !existsSync(target)
  if (given === undefined || isNamedAsOne) await makeDirectory(target, 0o700)
  if (isDirectory(target)) return { path: join(target, backupName(host.nowMs())), directory: target }
  if (existsSync(target)) {
    throw new CommandFailure(`${target} is there already, and nothing is overwritten: name a new file or a directory.`)
  }
  if (!isDirectory(dirname(target))) {
    throw new CommandFailure(
      `There is no directory ${JSON.stringify(dirname(target))}: create it, or name another file.`,
    )
  }
  return { path: target, directory: null }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

interface Stopping {
  /** Throws StoppedBySignal once there was a signal. */
  check(): void
  readonly signal: AbortSignal
}

/** A signal ends the work, with nothing left behind. A second one ends the process at once; the next restore clears away then. */
async function carriedOut<Made>(
  host: CliHost,
  progress: { end(): void },
  work: (stopping: Stopping) => Promise<Made>,
): Promise<Made> {
  const stop = new AbortController()
  const unhook = host.onStopSignal((signal) => {
    if (stop.signal.aborted) host.endBy(signal)
    stop.abort(new StoppedBySignal('Stopped. Nothing was left behind.', signal))
  })
  try {
    return await work({ check: () => stop.signal.throwIfAborted(), signal: stop.signal })
  } catch (error) {
    throw failureOf(error)
  } finally {
    unhook()
    progress.end()
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof RestoreRefusal) return new CommandFailure(error.message)
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  return new CommandFailure(`${error.message}.`)
}
