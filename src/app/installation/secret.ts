import { constants } from 'node:fs'
import { chmod, copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { keyedHash } from '../../core/secret-box.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import type { SettingStore } from '../../store/store.ts'
import { ownerRemedy } from './data-owner.ts'
import { ConfigurationError } from './environment.ts'
import { SERVER_VARIABLES } from './server-variables.ts'

/**
 * The secret of this data directory: the text of its file `secret`, made once from 32 random bytes. Processes that start
 * at once end with the same one. Throws ConfigurationError when it cannot be read, written or kept from other users.
 */
export async function readOrMakeSecret(dataDir: string, randomBytes: (count: number) => Buffer): Promise<string> {
  const path = join(dataDir, 'secret')
  return within(dataDir, async () => {
    await makeDirectory(dataDir, 0o700)
    return (await readSecret(path)) ?? (await makeSecret(path, randomBytes))
  })
}

/** Reads the secret of a data directory; null: there is none. Nothing is written. */
export function readStoredSecret(dataDir: string): Promise<string | null> {
  return within(dataDir, () => readSecret(join(dataDir, 'secret')))
}

async function within<Found>(dataDir: string, work: () => Promise<Found>): Promise<Found> {
  return work().catch((error: unknown) => {
    throw refusalOf(dataDir, error)
  })
}

function refusalOf(dataDir: string, error: unknown): unknown {
  if (error instanceof ConfigurationError || !isSystemError(error)) return error
  const owner = ownerRemedy(dataDir)
  const why =
    owner === null ? `(${error.code}): name a directory that this user can write to` : `(${error.code}), since ${owner}`
  return new ConfigurationError(
    `TOLLGATE_DATA_DIR is ${JSON.stringify(dataDir)}, but its secret cannot be kept there ${why}.`,
  )
}

/** The secret that is to follow it, from the file `secret.next`; null: none is. */
export function readNextSecret(dataDir: string): Promise<string | null> {
  return within(dataDir, () => readSecret(join(dataDir, NEXT)))
}

/** Makes that file, unless it is there. */
export async function makeNextSecret(dataDir: string, randomBytes: (count: number) => Buffer): Promise<void> {
  const path = join(dataDir, NEXT)
  await within(dataDir, async () => (await readSecret(path)) ?? makeSecret(path, randomBytes))
}

/** `secret.next` becomes `secret`; the old one stays as `secret.previous`, for backups that were made with it. */
export async function promoteNextSecret(dataDir: string): Promise<void> {
  const [path, previous] = [join(dataDir, 'secret'), join(dataDir, 'secret.previous')]
  // A name that is free at every moment would be a secret that is lost if this is killed.
  await rm(previous, { force: true })
  await copyFile(path, previous)
  await chmod(previous, 0o600)
  await rename(join(dataDir, NEXT), path)
  await syncDirectory(dataDir)
}

const NEXT = 'secret.next'

/** Makes sure that no secret was lost that this database was made with. Throws ConfigurationError. */
export async function refuseLostSecret(settings: SettingStore, dataDir: string): Promise<void> {
  if ((await settings.read(SECRET_MARK)) === null) return
  // Another process that started at once may have made both since.
  if ((await readStoredSecret(dataDir)) !== null) return
  throw new ConfigurationError(
    `The file "secret" is missing in TOLLGATE_DATA_DIR, ${JSON.stringify(dataDir)}, so the keys and credentials of the database there cannot be read: put the file back from a backup, or set TOLLGATE_SECRET to its text.`,
  )
}

/**
 * Makes sure that the database was made with this secret, and remembers it for the first time. The database gets a hash
 * under the secret, which says nothing about it. Throws ConfigurationError when the secret is another.
 */
export async function checkInstallationSecret(settings: SettingStore, secret: string): Promise<void> {
  await secretOfDatabase(settings, [secret])
}

/** Finds the secret that the database was made with. For the first time, it is the first. Throws ConfigurationError. */
export async function secretOfDatabase(settings: SettingStore, secrets: readonly string[]): Promise<string> {
  const stored = await settings.writeOnce(SECRET_MARK, secretMark(secrets[0] ?? ''))
  const found = secrets.find((secret) => secretMark(secret) === stored)
  if (found !== undefined) return found
  throw new ConfigurationError(
    'This database was made with another secret than the one given now, so its keys and credentials cannot be read: set TOLLGATE_SECRET to the old one, or put the old file "secret" back into the data directory.',
  )
}

/** What a database says of its secret. */
export function secretMark(secret: string): string {
  return keyedHash(secret, 'installation')('tollgate')
}

/** The setting that tells which secret the database goes by. */
export const SECRET_MARK = 'secret_mark'
const SHORTEST_BYTES = 32
/** Where files cannot be linked, another process may be caught between creating the file and writing it. */
const LOOKS = 10
const BETWEEN_LOOKS_MS = 20

async function readSecret(path: string): Promise<string | null> {
  let length = 0
  for (let look = 0; look < LOOKS; look++) {
    const text = await readPrivate(path)
    if (text === null) return null
    length = Buffer.byteLength(text)
    if (length >= SHORTEST_BYTES) return text
    await setTimeout(BETWEEN_LOOKS_MS)
  }
  throw new ConfigurationError(
    `The secret in ${path} has ${length} bytes, but it must have ${SERVER_VARIABLES.secret.takes}: put the right one back, or delete the file when the database is empty.`,
  )
}

async function readPrivate(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isSystemError(error) && error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const { mode } = await file.stat()
    const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0
    if (!isPrivate) await tighten(path)
    return (await file.readFile('utf8')).trim()
  } finally {
    await file.close()
  }
}

async function tighten(path: string): Promise<void> {
  try {
    await chmod(path, 0o600)
  } catch {
    const mode = ((await stat(path)).mode & 0o777).toString(8)
    throw new ConfigurationError(
      `${path} has mode ${mode}, so other users can read the secret, and it cannot be changed: run "chmod 600 ${path}" as its owner.`,
    )
  }
}

async function makeSecret(path: string, randomBytes: (count: number) => Buffer): Promise<string> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await publish(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(join(path, '..'))
  const made = await readSecret(path)
  if (made === null) throw new ConfigurationError(`${path} was deleted while Tollgate started: start it again.`)
  return made
}

/** The name appears with its whole content or not at all, and only for the first process. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return
    await copyFile(draft, path, constants.COPYFILE_EXCL).catch((second: unknown) => {
      if (!isSystemError(second) || second.code !== 'EEXIST') throw second
    })
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
