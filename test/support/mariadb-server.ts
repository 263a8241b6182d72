import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, keepProcess, newDirectory, type KeptProcess } from './kept-process.ts'

const READY_TIMEOUT_MS = 60_000
const SERVER = '/usr/sbin/mariadbd'
/** Whether this machine has a MariaDB server (Debian: mariadb-server-core): it is large, and a test alone installs none. */
export const HAS_MARIADB = existsSync(SERVER)

/** Starts a MariaDB server of its own on a free loopback port, which lets everyone in; `url` names no database. */
export async function startMariadbServer(): Promise<KeptProcess & { readonly url: string }> {
  const directory = await newDirectory('mariadb')
  const data = join(directory, 'data')
  const port = await freePort()
  const kept = await keepProcess(
    {
      directory,
      steps: [
        { command: 'mkdir', args: [data] },
        {
          command: SERVER,
          args: [
            '--no-defaults',
            `--datadir=${data}`,
            '--user=root',
            `--port=${port}`,
            '--bind-address=127.0.0.1',
            `--socket=${join(directory, 'socket')}`,
            `--pid-file=${join(directory, 'pid')}`,
            '--skip-grant-tables',
            '--innodb-buffer-pool-size=32M',
            '--innodb-flush-log-at-trx-commit=0',
          ],
        },
      ],
      stopSignal: 'SIGTERM',
    },
    { ready: /ready for connections/, readyTimeoutMs: READY_TIMEOUT_MS },
  )
  return { url: `mysql://root@127.0.0.1:${port}/`, stop: kept.stop }
}
