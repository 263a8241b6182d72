import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOrInstall } from './installed-tool.ts'
import { freePort, keepProcess, newDirectory, type KeptProcess } from './kept-process.ts'
import { unprivilegedUser } from './postgres-server.ts'

const READY_TIMEOUT_MS = 60_000

export interface PoolerOptions {
  readonly mode: 'transaction' | 'session' | 'statement'
  /** Connections to the database that all clients share. */
  readonly poolSize?: number
  /** More of its settings, as its file has them. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts a PgBouncer of its own before that database, as it comes but for what has to be set. */
export async function startPgbouncer(
  databaseUrl: string,
  { mode, poolSize = 20, settings = {} }: PoolerOptions,
): Promise<KeptProcess & { readonly url: string }> {
  const command = await findOrInstall('pgbouncer')
  const user = await unprivilegedUser()
  const directory = await newDirectory('pgbouncer', user)
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const listenPort = await freePort()
  const users = join(directory, 'users.txt')
  const configuration = join(directory, 'pgbouncer.ini')
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: users,
    pool_mode: mode,
    default_pool_size: String(poolSize),
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(configuration, `[databases]\n* = host=${hostname} port=${port}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  const kept = await keepProcess(
    {
      directory,
      ...(user === undefined ? {} : { user }),
      steps: [{ command, args: [configuration] }],
      stopSignal: 'SIGTERM',
    },
    { ready: /process up/, readyTimeoutMs: READY_TIMEOUT_MS },
  )
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${listenPort}`
  url.pathname = pathname
  return { url: url.href, stop: kept.stop }
}
