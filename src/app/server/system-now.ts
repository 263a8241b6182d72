import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { daysUntilFull, type NodeView, type SystemReading } from '../../control/system.ts'
import type { Clock } from '../../core/clock.ts'
import { timeOfId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import type { FamilyName, Figures } from '../../telemetry/figures.ts'
import { listBackups } from '../backups/backup-files.ts'
import type { Settings } from '../installation/environment.ts'
import { diskOf, growthOf, noteSize } from './disks-now.ts'
import type { Maintenance } from './maintenance.ts'

export interface SystemNowOptions {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly maintenance: Maintenance
  /** The figures of all threads of this process, those that have ended included. */
  figures(): Promise<readonly Figures[]>
  /** How many threads of this process carry requests. */
  readonly threads: number
  /** The id of the node that answers. */
  readonly nodeId: string
}

const MOST_FILES = 10

/** The nodes, this process, the database and the backups at this moment. */
export async function systemNow(options: SystemNowOptions): Promise<SystemReading> {
  const { settings, store, clock, maintenance } = options
  const [nodes, figures, size, files] = await Promise.all([
    nodesNow(options),
    options.figures(),
    store.size(),
    filesOf(settings.backupDir),
  ])
  const total = (name: FamilyName): number =>
    figures.flatMap(({ values }) => values).reduce((sum, { of, value }) => (of === name ? sum + value : sum), 0)
  return {
    nodes,
    process: {
      started_at: timeOf(Math.round(clock.now() - process.uptime() * 1_000)),
      threads: options.threads,
      memory_bytes: process.memoryUsage.rss(),
      in_flight: total('inFlight'),
      lease_grants: total('leaseGrants'),
      settle_queue: total('settleQueue'),
      set_aside: total('setAside'),
    },
    database: await databaseNow(size, options),
    backups: {
      directory: store.engine === 'sqlite' ? settings.backupDir : null,
      every_hours: settings.backupEvery,
      keep: settings.backupKeep,
      has_secret: settings.backupPassphrase !== null,
      files,
      running: maintenance.running,
      last_backup: maintenance.last.backup ?? null,
      last_rehearsal: maintenance.last.rehearsal ?? null,
    },
  }
}

async function databaseNow(
  { bytes, walBytes, tables, migrations }: Awaited<ReturnType<Store['size']>>,
  { settings, store, clock }: SystemNowOptions,
): Promise<SystemReading['database']> {
  const sizes = await noteSize(store.settings, bytes, clock.now())
  const growthPerDay = growthOf(sizes, bytes, clock.now())
  const disk = store.engine === 'sqlite' ? await diskOf(settings.dataDir) : null
  return {
    engine: store.engine,
    bytes,
    wal_bytes: walBytes,
    growth_bytes_per_day: growthPerDay,
    disk: disk && { bytes: disk.bytes, free_bytes: disk.freeBytes },
    full_in_days: disk === null ? null : daysUntilFull({ ...disk, growthPerDay }),
    tables: tables && [...tables],
    migrations: { count: migrations.count, newest: migrations.newest, newest_at: timeOf(migrations.newestAtMs) },
  }
}

/** Every thread that serves, of all processes on the database. */
export async function nodesNow({ store, nodeId }: Pick<SystemNowOptions, 'store' | 'nodeId'>): Promise<NodeView[]> {
  const nodes = await store.nodes.all()
  const furthest = Math.max(0, ...nodes.map(({ seenSeq }) => seenSeq))
  return nodes.map(({ id, host, processId, seenSeq, standing }) => ({
    id,
    here: id === nodeId,
    // Behind it stand the boot and the namespace of process ids.
    host: host.split(' ')[0] ?? host,
    process_id: processId,
    since: timeOf(timeOfId(id) ?? 0),
    behind: furthest - seenSeq,
    standing: standing && {
      version: standing.version,
      in_flight: standing.inFlight,
      busy: standing.busy,
      clock: standing.clock,
    },
  }))
}

async function filesOf(directory: string | null): Promise<SystemReading['backups']['files']> {
  if (directory === null) return []
  const newest = (await listBackups(directory).catch(() => [])).slice(0, MOST_FILES)
  const found = await Promise.all(
    newest.map(({ path, madeAt }) =>
      stat(path).then(
        ({ size }) => ({ name: basename(path), bytes: size, made_at: timeOf(madeAt) }),
        () => null,
      ),
    ),
  )
  return found.filter((file) => file !== null)
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
