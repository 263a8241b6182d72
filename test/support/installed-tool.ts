import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LOCK_WAIT_SECONDS = 900
const OUTPUT_TAIL_CHARACTERS = 2_000

const USUAL_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/opt/homebrew/bin']

/** Programs that are not npm packages. `binaries` are names to look for, the first found wins. */
const TOOLS = {
  postgresql: { binaries: ['postgres'], debianPackage: 'postgresql', instead: ', or set TEST_DATABASE_URL' },
  'redis-server': {
    binaries: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
    instead: ', or set TEST_REDIS_URL',
  },
  nginx: { binaries: ['nginx'], debianPackage: 'nginx', instead: '' },
  caddy: { binaries: ['caddy'], debianPackage: 'caddy', instead: '' },
  tmux: { binaries: ['tmux'], debianPackage: 'tmux', instead: '' },
  haproxy: { binaries: ['haproxy'], debianPackage: 'haproxy', instead: '' },
  pgbouncer: { binaries: ['pgbouncer'], debianPackage: 'pgbouncer', instead: '' },
  // The shell is Chromium without its own windows and menus, which take two thirds of the work of opening a page.
  chromium: {
    binaries: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    debianPackage: 'chromium-headless-shell',
    instead: '',
  },
  firefox: { binaries: ['firefox-esr', 'firefox'], debianPackage: 'firefox-esr', instead: '' },
} as const

export type ToolName = keyof typeof TOOLS

/**
 * The path of a program's executable. On Debian, as root, a missing one is installed with apt-get first, which can take
 * minutes. Elsewhere a missing one is an error that says what to install: it is never a reason to skip a test.
 */
export async function findOrInstall(name: ToolName): Promise<string> {
  const tool = TOOLS[name]
  const present = await findExecutable(tool.binaries)
  if (present !== undefined) return present
  const remedy = `Install ${name} (Debian: apt-get install ${tool.debianPackage})${tool.instead}.`
  if (process.getuid?.() !== 0 || (await findExecutable(['apt-get'])) === undefined) {
    throw new Error(`${name} is needed and was not found. ${remedy}`)
  }
  const failure = await aptInstall(tool.debianPackage)
  const installed = await findExecutable(tool.binaries)
  if (installed === undefined) throw new Error(`${name} could not be installed. ${remedy} apt-get said:\n${failure}`)
  return installed
}

async function findExecutable(binaries: readonly string[]): Promise<string | undefined> {
  const folders = [
    ...(await debianPostgresFolders()),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    // Often missing from the PATH of a user who is not root, or of a cron-like runner.
    ...USUAL_FOLDERS,
  ]
  for (const path of binaries.flatMap((binary) => folders.map((folder) => join(folder, binary)))) {
    if (await isExecutable(path)) return path
  }
  return undefined
}

/** Debian keeps the server's binaries out of the PATH, one folder per major version. Newest first. */
async function debianPostgresFolders(): Promise<string[]> {
  const root = '/usr/lib/postgresql'
  const versions = await readdir(root).catch(() => [])
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'))
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Runs `apt-install.ts`, one at a time on this machine. Resolves with the end of its output, whatever came of it. */
async function aptInstall(debianPackage: string): Promise<string> {
  const script = fileURLToPath(new URL('./apt-install.ts', import.meta.url))
  // Locking the folder itself: apt's own lock is a file inside it, taken in another way, so the two never clash.
  const lock = ['--timeout', String(LOCK_WAIT_SECONDS), '/var/lib/apt/lists']
  // Detached: an interrupted test run must not leave half a package behind.
  const child = spawn('flock', [...lock, process.execPath, script, debianPackage], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-OUTPUT_TAIL_CHARACTERS)))
  }
  await once(child, 'close').catch((cause: unknown) => (tail += String(cause)))
  return tail
}
