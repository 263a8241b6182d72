/** The manners in which a database goes away, each played with real servers. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type DatabaseProxy, databaseProxy } from '../../support/database-link.ts'
import { type PoolerOptions, startPgbouncer } from '../../support/pgbouncer-server.ts'
import { startStandbyServer, unprivilegedUser } from '../../support/postgres-server.ts'
import { temporaryDirectory } from '../../support/test-servers.ts'
import { type CrashableServer } from '../crashable-server.ts'
import type { ServedNodes } from './served-nodes.ts'

export type OnEnd = (end: () => Promise<unknown>) => void

export interface World {
  readonly server: CrashableServer
  /** The proxy between the nodes, or the pooler before them, and the database. */
  readonly proxy: DatabaseProxy
  /** The database itself, as a superuser. */
  readonly adminUrl: string
  readonly nodes: ServedNodes
  readonly onEnd: OnEnd
}

export interface Manner {
  readonly name: string
  readonly playedBy: string
  readonly pooler?: PoolerOptions
  /** Whether requests are refused meanwhile: some are, or none. */
  readonly refuses: 'some' | 'none'
  /** Returns how the database comes back, called after `lastsMs`; and where it is then, if it is elsewhere. */
  begin(world: World): Promise<{ end(): Promise<void>; readonly booksUrl?: string } | void>
  /** How long it lasts; 0: what is new works at once. */
  readonly lastsMs: number
}

const OUTAGE_MS = 10_000
const SMALL_BYTES = 32 * 1024 * 1024

export const MANNERS: readonly Manner[] = [
  {
    name: 'refuses connections',
    playedBy: 'a proxy before it: open connections are reset, new ones refused for 10 s',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    async begin({ proxy }) {
      await proxy.refuse()
      proxy.end('reset')
      return { end: () => proxy.heal() }
    },
  },
  {
    name: 'resets its connections',
    playedBy: 'the proxy',
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.end('reset'),
  },
  {
    name: 'closes its connections',
    playedBy: 'the proxy, which closes its side alone',
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.end('half-close'),
  },
  {
    name: 'goes silent on open connections, and takes new ones (a firewall or NAT forgot them)',
    playedBy: 'the proxy, which keeps them open and passes nothing on',
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.silence(),
  },
  {
    name: 'is heard no more on open connections, though it hears',
    playedBy: 'the proxy, which drops the answers',
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.loseAnswers(),
  },
  {
    name: 'takes new connections and never answers',
    playedBy: 'the proxy, for 10 s; open ones are reset',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    async begin({ proxy }) {
      proxy.keepWaiting()
      proxy.end('reset')
      return { end: () => proxy.heal() }
    },
  },
  {
    name: 'goes silent altogether (a hung machine or disk)',
    playedBy: 'the proxy, for 10 s, on open and new connections',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    async begin({ proxy }) {
      proxy.silence()
      proxy.keepWaiting()
      return { end: () => proxy.heal() }
    },
  },
  {
    name: 'crashes and recovers',
    playedBy: '`SIGKILL` to one of its processes',
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ server }) => server.crash(),
  },
  {
    name: 'takes no writes',
    playedBy: '`default_transaction_read_only`, for 10 s',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    async begin({ adminUrl }) {
      const setReadOnly = (value: string) =>
        asAdmin(adminUrl, `alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()')
      await setReadOnly('on')
      return { end: () => setReadOnly('off') }
    },
  },
  {
    name: 'has a full disk',
    playedBy:
      'a tablespace on a file system of 32 MB that is filled for 10 s; for a user who is not root, a trigger that raises 53100',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    begin: fullDisk,
  },
  {
    name: 'moves (a failover)',
    playedBy:
      'a second server that follows it and is promoted after 10 s; the name leads there, and the first takes no writes',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    begin: failover,
  },
  {
    name: 'has too few connections',
    playedBy: 'a role with 5 of them for two nodes that may open 26',
    refuses: 'some',
    lastsMs: OUTAGE_MS,
    async begin({ adminUrl, proxy }) {
      const limit = (count: number) => asAdmin(adminUrl, `alter role ${roleIn(adminUrl)} connection limit ${count}`)
      await limit(5)
      proxy.end('reset')
      return { end: () => limit(-1) }
    },
  },
  {
    name: 'is behind PgBouncer in transaction mode',
    playedBy: 'PgBouncer as it comes, with 5 connections; bursts of 60 to each node',
    pooler: { mode: 'transaction', poolSize: 5 },
    refuses: 'none',
    lastsMs: 0,
    begin: bursts,
  },
  {
    name: 'is behind PgBouncer in session mode',
    playedBy:
      'PgBouncer with `ignore_startup_parameters` and its 20 connections, fewer than both nodes would open; bursts of 60 to each',
    pooler: { mode: 'session', poolSize: 20, settings: { ignore_startup_parameters: 'extra_float_digits,options' } },
    refuses: 'none',
    lastsMs: 0,
    begin: bursts,
  },
  {
    name: 'is behind PgBouncer, and goes silent on its connections',
    playedBy: 'the proxy, between PgBouncer in transaction mode and the server',
    pooler: { mode: 'transaction', poolSize: 20 },
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.silence(),
  },
  {
    name: 'is behind PgBouncer, and resets its connections',
    playedBy: 'the proxy, between PgBouncer in transaction mode and the server',
    pooler: { mode: 'transaction', poolSize: 20 },
    refuses: 'some',
    lastsMs: 0,
    begin: async ({ proxy }) => proxy.end('reset'),
  },
]

async function bursts({ nodes }: World): Promise<void> {
  for (let round = 0; round < 8; round++) await nodes.burst(60)
}

/** Makes a database of its own with an owner of its own, who is not a superuser, and the way to it. */
export async function worldFor(server: CrashableServer, pooler: PoolerOptions | undefined, onEnd: OnEnd) {
  const name = `manner_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await asAdmin(server.url, `create role ${name} login password '${password}'`)
  await asAdmin(server.url, `create database ${name} owner ${name} template template0`)
  const admin = new URL(server.url)
  admin.pathname = `/${name}`
  const owner = new URL(admin)
  Object.assign(owner, { username: name, password })
  const proxy = await databaseProxy(owner.href)
  onEnd(() => proxy.close())
  if (pooler === undefined) return { proxy, adminUrl: admin.href, nodesUrl: proxy.url }
  const bouncer = await startPgbouncer(proxy.url, pooler)
  onEnd(() => bouncer.stop())
  return { proxy, adminUrl: admin.href, nodesUrl: bouncer.url }
}

async function asAdmin(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The role of the nodes, which is named as their database. */
function roleIn(adminUrl: string): string {
  return new URL(adminUrl).pathname.slice(1)
}

async function fullDisk({ adminUrl, onEnd }: World) {
  if (process.getuid?.() !== 0) {
    const trigger = 'before insert on usage_records for each statement execute function full_disk()'
    await asAdmin(
      adminUrl,
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
      `create trigger full_disk ${trigger}`,
    )
    return { end: () => asAdmin(adminUrl, 'drop trigger full_disk on usage_records') }
  }
  const place = join(await temporaryDirectory(), 'small')
  await mkdir(place)
  const run = promisify(execFile)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_BYTES},mode=0755`, 'tmpfs', place])
  onEnd(() => run('umount', [place]))
  const space = join(place, 'space')
  await mkdir(space, { mode: 0o700 })
  const user = await unprivilegedUser()
  if (user !== undefined) await chown(space, user.uid, user.gid)
  await run('chmod', ['o+x', join(place, '..'), join(place, '..', '..')])
  const name = `small_${roleIn(adminUrl)}`
  await asAdmin(adminUrl, `create tablespace ${name} location '${space}'`)
  await asAdmin(adminUrl, `alter table usage_records set tablespace ${name}`)
  // The server lives on, and must not miss its files.
  onEnd(() =>
    asAdmin(adminUrl, 'alter table usage_records set tablespace pg_default', `drop tablespace ${name}`, 'checkpoint'),
  )
  const filler = join(place, 'filler')
  const { bavail, bsize } = await statfs(place)
  await writeFile(filler, Buffer.alloc(bavail * bsize))
  return { end: () => rm(filler) }
}

/** The nodes had the first server from the beginning: see the test. */
async function failover({ adminUrl, proxy, onEnd }: World) {
  const standby = await startStandbyServer(adminUrl)
  onEnd(() => standby.stop())
  await asAdmin(adminUrl, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
  onEnd(() => asAdmin(adminUrl, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()'))
  const caughtUp = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    const { rows } = await client.query<{ is_there: boolean }>(
      'select bool_and(replay_lsn = pg_current_wal_lsn()) as is_there from pg_stat_replication',
    )
    await client.end()
    return rows[0]?.is_there === true
  }
  while (!(await caughtUp()));
  return {
    booksUrl: standby.url,
    async end() {
      await asAdmin(standby.url, 'select pg_promote(true)')
      proxy.moveTo(standby.url)
    },
  }
}
