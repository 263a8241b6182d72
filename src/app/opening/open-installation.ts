import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceTokens } from '../../access/device-tokens.ts'
import { keyedHash, sealerOf, type Sealer } from '../../core/secret-box.ts'
import type { MigrationStep } from '../../store/migration-step.ts'
import { keptCopies } from '../../store/kept-copies.ts'
import type { Store } from '../../store/store.ts'
import { UnfitDatabase } from '../../store/unfit-database.ts'
import { StoppedBySignal } from '../stopped-by-signal.ts'
import { ownerRemedy, unwritable } from '../installation/data-owner.ts'
import { ConfigurationError, type Settings } from '../installation/environment.ts'
import { type ControlHashes, controlHashes } from '../installation/control-hashes.ts'
import { readNextSecret, readOrMakeSecret, readStoredSecret, refuseLostSecret } from '../installation/secret.ts'
import { tokensOfDevices } from '../installation/device-tokens.ts'
import { type GivenSecrets, hashSecretOf } from '../installation/secret-rotation.ts'
import { readdir, rm } from 'node:fs/promises'
import { pendingInFile } from '../../store/pending-migrations.ts'
import { noteFor, takeBackup } from '../backups/take-backup.ts'

/** A database together with what its secret makes readable. The opener closes `store`. */
export interface OpenInstallation {
  readonly store: Store
  /** What hashes are made under: the secret that the database was made with, whatever it was replaced by. */
  readonly secret: string
  /** The secrets that texts may be sealed with, the one to seal with first. For the other threads of this process. */
  readonly sealing: readonly string[]
  readonly given: GivenSecrets
  readonly sealer: Sealer
  /** Hashes an API key's secret, as the key is stored. */
  readonly hashSecret: (secret: string) => string
  /** The hashes of the console API. */
  readonly controlHashes: ControlHashes
  /** Hashes a redeem code, in the form that `readRedeemCode` returns. */
  readonly hashRedeemCode: (code: string) => string
  readonly deviceTokens: DeviceTokens
  /** Hashes the token in a one-time setup link. */
  readonly hashLink: (token: string) => string
}

export type OpenStore = (
  settings: Settings,
  listeners?: Pick<OpenInstallationOptions, 'onTrouble' | 'onStep'>,
) => Promise<Store>

export interface OpenInstallationOptions {
  readonly openStore: OpenStore
  readonly randomBytes: (count: number) => Buffer
  readonly nowMs: () => number
  /** Hears of connections that broke while idle. */
  readonly onTrouble?: (error: Error) => void
  /** Whether the embedded database is copied before its tables are changed. Default: it is. */
  readonly copiesFirst?: boolean
  /** Hears how far that copy is. What it throws ends the copy, and the opening with it. */
  readonly onCopying?: (doneBytes: number, allBytes: number) => void
  /** Hears of the path of that copy. */
  readonly onCopy?: (path: string) => void
  /** Hears of each step by which the tables are changed, before it is done. */
  readonly onStep?: (step: MigrationStep) => void
}

/** Opens the installation that the settings name, and makes it when there is none. Throws ConfigurationError. */
export async function openInstallation(
  settings: Settings,
  options: OpenInstallationOptions,
): Promise<OpenInstallation> {
  const current = settings.secret ?? (await ownSecret(settings, options))
  const next = settings.secret === null ? await readNextSecret(settings.dataDir) : settings.nextSecret
  const given = { current, next: next === current ? null : next }
  const store = await openDatabase(settings, options)
  let secret: string
  try {
    secret = await hashSecretOf(store.settings, given, options.nowMs())
  } catch (error) {
    await store.close()
    throw error
  }
  const sealing = given.next === null ? [current] : [given.next, current]
  return {
    store,
    secret,
    sealing,
    given,
    sealer: sealerOf(sealing),
    hashSecret: keyedHash(secret),
    controlHashes: controlHashes(secret),
    hashRedeemCode: keyedHash(secret, 'redeem code'),
    hashLink: keyedHash(secret, 'set-up link'),
    deviceTokens: tokensOfDevices({ secret, sealing }),
  }
}

/** A lost secret is not replaced: what the database holds would stay unreadable, and the old file would be missed later. */
async function ownSecret(settings: Settings, options: OpenInstallationOptions): Promise<string> {
  const { dataDir } = settings
  const stored = await readStoredSecret(dataDir)
  if (stored !== null) return stored
  if (hasDatabaseFile(settings)) {
    const store = await openDatabase(settings, options)
    try {
      await refuseLostSecret(store.settings, dataDir)
    } finally {
      await store.close()
    }
  }
  return readOrMakeSecret(dataDir, options.randomBytes)
}

/** Opens the database alone. Throws ConfigurationError with what the engine says about one that cannot be opened. */
export async function openDatabase(settings: Settings, options: OpenInstallationOptions): Promise<Store> {
  const { openStore, onTrouble, onStep, copiesFirst = true, onCopy } = options
  refuseKeptCopies(settings)
  try {
    const copy = copiesFirst ? await copyBeforeMigration(settings, options) : null
    if (copy !== null) onCopy?.(copy)
    return await openStore(settings, { ...(onTrouble && { onTrouble }), ...(onStep && { onStep }) })
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof StoppedBySignal) throw error
    if (!(error instanceof Error) || DEFECTS.includes(error.name)) throw error
    const why =
      settings.databaseUrl === null
        ? fileRefusal(settings, reasonOf(error))
        : error instanceof UnfitDatabase
          ? `that DATABASE_URL names cannot be used: ${error.message}`
          : `that DATABASE_URL names cannot be opened (${reasonOf(error)}): check that it runs, and the host, user, password and name in the URL`
    throw new ConfigurationError(`The database ${why}.`, { cause: error })
  }
}

/** Ends a sentence. What the system says of rights and mounts is put before what SQLite makes of it. */
function fileRefusal({ dataDir }: Settings, reason: string): string {
  const cannot = `in TOLLGATE_DATA_DIR, ${JSON.stringify(dataDir)}, cannot be opened`
  const why = ownerRemedy(dataDir) ?? unwritable(dataDir)
  if (why !== null) return `${cannot}, since ${why}`
  return `${cannot} (${reason}): check the directory and the file tollgate.db in it`
}

/** A gateway whose database was moved away or deleted kept a copy: an empty one must not be made beside it. */
function refuseKeptCopies(settings: Settings): void {
  if (isInstalled(settings)) return
  const newest = keptCopies(settings.dataDir).at(-1)
  if (newest === undefined) return
  throw new ConfigurationError(
    `TOLLGATE_DATA_DIR, ${JSON.stringify(settings.dataDir)}, holds no tollgate.db but ${newest}, which a gateway kept when its database was moved or deleted: rename it to tollgate.db, or move it away.`,
  )
}

/** Errors that say nothing about the database, and whose place is what matters. */
const DEFECTS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']

/** A host name with several addresses fails with one error for each, and none of its own. */
function reasonOf(error: Error): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error
  return inner instanceof Error && inner.message !== '' ? inner.message : error.name
}

/** Throws ConfigurationError where there is nothing yet: a mistyped directory must not look like an empty installation. */
export function requireInstallation(settings: Settings): void {
  if (isInstalled(settings)) return
  refuseKeptCopies(settings)
  throw new ConfigurationError(
    `TOLLGATE_DATA_DIR is ${JSON.stringify(settings.dataDir)}, but it holds no database: name the directory the gateway was started with, or start it first.`,
  )
}

/** Whether there is a database, or one may be. */
export function isInstalled(settings: Settings): boolean {
  return settings.databaseUrl !== null || hasDatabaseFile(settings)
}

function hasDatabaseFile({ dataDir }: Settings): boolean {
  return existsSync(join(dataDir, 'tollgate.db'))
}

/** Older ones are deleted. */
const KEPT = 3
const COPY = /^before-upgrade-[\d-]+T[\d-]+Z\.db$/

interface CopyOptions {
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
async function copyBeforeMigration(
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
