import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where the installations lie, outside the repository: another checkout, and a fresh clone, find them there. */
const SHELF = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate', 'test-clients')
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024
const OUTPUT_TAIL_CHARACTERS = 1_500

/** About 1.9 GB are unpacked, once: half a minute from a near registry. */
export const INSTALL_TIMEOUT_MS = 600_000

/** Two clients need their own last step: it puts the program for this system in its place, and asks no person for it. */
const LAST_STEPS = [
  ['@anthropic-ai/claude-code', 'install.cjs'],
  ['opencode-ai', 'postinstall.mjs'],
] as const

const run = promisify(execFile)

/**
 * The `node_modules` folder with the clients of test/clients/package.json, installed from its lock file where it is
 * missing or older than that. Throws one sentence that says what to do when that fails: a test is not skipped for it.
 */
export async function installedClients(): Promise<string> {
  const lock = await readFile(join(import.meta.dirname, 'package-lock.json'))
  const home = join(SHELF, `installed-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
  const packages = join(home, 'node_modules')
  if (await exists(packages)) {
    await touch(home)
    return packages
  }
  // Beside, and moved in one step: a run that is interrupted, or two at once, leave nothing that looks whole.
  const beside = join(SHELF, `installing-${randomUUID()}`)
  try {
    await install(beside)
    await removeUnused()
    await rename(beside, home).catch((cause: unknown) => keepOther(packages, cause))
  } catch (cause) {
    throw new Error(`The real clients of test/clients could not be installed: ${reasonOf(cause)}`, { cause })
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return packages
}

async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    await copyFile(join(import.meta.dirname, name), join(folder, name))
  }
  await run('npm', ['ci', '--ignore-scripts'], {
    cwd: folder,
    timeout: INSTALL_TIMEOUT_MS,
    maxBuffer: OUTPUT_LIMIT_BYTES,
  })
  for (const [name, script] of LAST_STEPS) {
    await run(process.execPath, [script], { cwd: join(folder, 'node_modules', name), timeout: INSTALL_TIMEOUT_MS })
  }
}

const HOUR_MS = 3_600_000
const UNUSED_MS = 7 * 24 * HOUR_MS

/** Installations that no run has used for a week, and what interrupted ones left over an hour ago. */
async function removeUnused(): Promise<void> {
  for (const name of await readdir(SHELF)) {
    const path = join(SHELF, name)
    const keptMs = name.startsWith('installing-') ? HOUR_MS : UNUSED_MS
    const usedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      // Another run was faster.
      () => Infinity,
    )
    if (usedAt < Date.now() - keptMs) await rm(path, { recursive: true, force: true })
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date()
  await utimes(folder, now, now)
}

async function keepOther(packages: string, cause: unknown): Promise<void> {
  if (!(await exists(packages))) throw cause
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function reasonOf(cause: unknown): string {
  const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : ''
  const said = output === '' ? String(cause) : output.slice(-OUTPUT_TAIL_CHARACTERS)
  return `npm ci needs the package registry once, and 1.9 GB of disk. Give it both and run again. It said:\n${said}`
}
