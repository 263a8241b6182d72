import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findOrInstall } from './installed-tool.ts'
import type { SystemUser } from './keeper-order.ts'
import { freePort, keepProcess, newDirectory, type KeptProcess } from './kept-process.ts'

const READY_TIMEOUT_MS = 60_000

const INITDB_OPTIONS = '--username tollgate --auth scram-sha-256 --encoding UTF8 --no-locale --no-sync'.split(' ')

/** Small memory and no replication, but every promise about durability as in production. */
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '32MB',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  lc_messages: 'C',
}

/** The directory of the server's own programs, `pg_dump` among them. */
export async function postgresPrograms(): Promise<string> {
  return dirname(await realpath(await findOrInstall('postgresql')))
}

/** Where only gateways are killed, and never the server or its machine, no commit has to wait for a disk. */
const WITHOUT_DISK = { fsync: 'off', full_page_writes: 'off' }

export interface ServerOptions {
  /** Commits wait for the disk. */
  readonly isDurable?: boolean
  /** Settings of its configuration, in place of our own. */
  readonly settings?: Readonly<Record<string, string>>
  /** The certificate with which it offers TLS, in PEM. */
  readonly certificate?: { readonly certificate: string; readonly key: string }
}

/** Starts a PostgreSQL server of its own on a free loopback port. `url` is a superuser's, with a random password. */
export async function startPostgresServer({
  isDurable = true,
  settings: given = {},
  certificate,
}: ServerOptions = {}): Promise<KeptProcess & { readonly url: string }> {
  const binaries = dirname(await findOrInstall('postgresql'))
  const user = await unprivilegedUser()
  const directory = await newDirectory('postgres', user)
  const data = join(directory, 'data')
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)
  const port = await freePort()
  const tls = certificate === undefined ? {} : await tlsSettings(directory, certificate, user)
  const settings = settingsOf({ ...(isDurable ? {} : WITHOUT_DISK), ...tls, ...given, port: String(port) })
  const kept = await keepProcess(
    {
      directory,
      ...(user === undefined ? {} : { user }),
      steps: [
        {
          command: join(binaries, 'initdb'),
          args: [...INITDB_OPTIONS, '--pgdata', data, '--pwfile', passwordFile, ...(await collation(binaries))],
        },
        { command: join(binaries, 'postgres'), args: ['-D', data, ...settings] },
      ],
      // Immediate shutdown: nothing in a test database is worth a checkpoint.
      stopSignal: 'SIGQUIT',
    },
    { ready: /ready to accept connections/, readyTimeoutMs: READY_TIMEOUT_MS },
  )
  return { url: `postgres://tollgate:${password}@127.0.0.1:${port}/postgres`, stop: kept.stop }
}

/** The key must be for the user of the server alone. */
async function tlsSettings(
  directory: string,
  { certificate, key }: { readonly certificate: string; readonly key: string },
  user: SystemUser | undefined,
): Promise<Record<string, string>> {
  const files = { ssl_cert_file: join(directory, 'server.crt'), ssl_key_file: join(directory, 'server.key') }
  for (const [file, text] of [
    [files.ssl_cert_file, certificate],
    [files.ssl_key_file, key],
  ] as const) {
    await writeFile(file, text, { mode: 0o600 })
    if (user !== undefined) await chown(file, user.uid, user.gid)
  }
  return { ssl: 'on', ...files }
}

/** What a server needs that another one follows. */
export const FOR_STANDBYS = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' }

/** Starts a server that follows the one at `primaryUrl`, which was started with `FOR_STANDBYS`. `url`: as of the primary. */
export async function startStandbyServer(primaryUrl: string): Promise<KeptProcess & { readonly url: string }> {
  const binaries = dirname(await realpath(await findOrInstall('postgresql')))
  const user = await unprivilegedUser()
  const directory = await newDirectory('postgres', user)
  const data = join(directory, 'data')
  const port = await freePort()
  const from = new URL(primaryUrl)
  from.pathname = '/postgres'
  const copy = ['--pgdata', data, '--dbname', from.href, '--write-recovery-conf', '--checkpoint', 'fast']
  const settings = settingsOf({ ...FOR_STANDBYS, port: String(port) })
  const kept = await keepProcess(
    {
      directory,
      ...(user === undefined ? {} : { user }),
      steps: [
        { command: join(binaries, 'pg_basebackup'), args: copy },
        { command: join(binaries, 'postgres'), args: ['-D', data, ...settings] },
      ],
      stopSignal: 'SIGQUIT',
    },
    { ready: /ready to accept read-only connections/, readyTimeoutMs: READY_TIMEOUT_MS },
  )
  const url = new URL(primaryUrl)
  url.host = `127.0.0.1:${port}`
  return { url: url.href, stop: kept.stop }
}

function settingsOf(given: Readonly<Record<string, string>>): string[] {
  return Object.entries({ ...SETTINGS, ...given }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * Sort as most servers in the world do, where "a" comes before "B": an order that only holds bytewise shows here.
 * Servers older than 15 cannot be set so without a locale of the operating system.
 */
async function collation(binaries: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(join(binaries, 'postgres'), ['--version'])
  const major = Number(/\d+/.exec(stdout)?.[0])
  return major >= 15 ? ['--locale-provider', 'icu', '--icu-locale', 'en-US'] : []
}

/** PostgreSQL and its poolers refuse to run as root: then they run as `postgres` or, where that is missing, as `nobody`. */
export async function unprivilegedUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => accounts.find((fields) => fields[0] === name)).find(Boolean)
  if (found === undefined) throw new Error('PostgreSQL refuses to run as root: add a system user named "postgres".')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}
