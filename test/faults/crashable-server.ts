import pg from 'pg'
import { type ServerOptions, startPostgresServer } from '../support/postgres-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** A PostgreSQL server of its own: the others of a test run are shared, and must not crash. */
export interface CrashableServer {
  readonly url: string
  /** Resolves when it has crashed and taken up again. A client has to be connected. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function crashableServer(options: ServerOptions = {}): Promise<CrashableServer> {
  const { url, stop } = await startPostgresServer(options)
  return { url, stop, crash: () => crash(url) }
}

/**
 * Kills one of the gateway's server processes: the server cannot know what it left behind in the memory that they share, so
 * it ends all of them and recovers from its journal, as after a crash of the whole.
 */
async function crash(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const broken = new Promise<void>((resolve) => client.once('error', () => resolve()))
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  )
  const [victim] = rows
  if (victim === undefined) throw new Error('no gateway is connected: there is nothing to kill')
  process.kill(victim.pid, 'SIGKILL')
  // This connection belongs to those that the server gives up: else it did not crash.
  await broken
  await back(url, AbortSignal.timeout(PATIENCE_MS))
}

async function back(url: string, deadline: AbortSignal): Promise<void> {
  for (;;) {
    deadline.throwIfAborted()
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const isBack = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isBack) return
  }
}
