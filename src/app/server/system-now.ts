import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { NodeNow, SystemNow } from '../../control/system.ts'
import type { Clock } from '../../core/clock.ts'
import { timeOfId } from '../../core/ids.ts'
import type { Store } from '../../store/store.ts'
import type { FamilyName, Figures } from '../../telemetry/figures.ts'
import { listBackups } from '../backups/backup-files.ts'
import type { Settings } from '../installation/environment.ts'
import { diskOf } from './disks-now.ts'
import type { Maintenance } from './maintenance.ts'
import { growthOf, noteSize } from './size-notes.ts'

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
export async function systemNow(options: SystemNowOptions): Promise<SystemNow> {
  const { settings, store, clock, maintenance } = options
  const [nodes, figures, size, files] = await Promise.all([
    nodesNow(options),
    options.figures(),
    store.size(),
    filesOf(settings.backupDir),
  ])
  const total = (name: FamilyName): number =>
    figures.flatMap(({ values }) => values).reduce((sum, { of, value }) => (of === name ? sum + value : sum), 0)
  const sizes = await noteSize(store.settings, size.bytes, clock.now())
  return {
    nodes,
    process: {
      startedAtMs: Math.round(clock.now() - process.uptime() * 1_000),
      threads: options.threads,
      memoryBytes: process.memoryUsage.rss(),
      inFlight: total('inFlight'),
      leaseGrants: total('leaseGrants'),
      settleQueue: total('settleQueue'),
      setAside: total('setAside'),
    },
    database: {
      engine: store.engine,
      ...size,
      growthPerDay: growthOf(sizes, size.bytes, clock.now()),
      disk: store.engine === 'sqlite' ? await diskOf(settings.dataDir) : null,
    },
    backups: {
      directory: store.engine === 'sqlite' ? settings.backupDir : null,
      everyHours: settings.backupEvery,
      keep: settings.backupKeep,
      hasSecret: settings.backupPassphrase !== null,
      files,
      running: maintenance.running,
      last: maintenance.last,
    },
  }
}

/** Every thread that serves, of all processes on the database. */
export async function nodesNow({
  store,
  nodeId,
}: Pick<SystemNowOptions, 'store' | 'nodeId'>): Promise<readonly NodeNow[]> {
  const nodes = await store.nodes.all()
  const furthest = Math.max(0, ...nodes.map(({ seenSeq }) => seenSeq))
  return nodes.map(({ id, host, processId, seenSeq, standing }) => ({
    id,
    isHere: id === nodeId,
    // Behind it stand the boot and the namespace of process ids.
    host: host.split(' ')[0] ?? host,
    processId,
    sinceMs: timeOfId(id) ?? 0,
    behind: furthest - seenSeq,
    standing,
  }))
}

async function filesOf(directory: string | null): Promise<SystemNow['backups']['files']> {
  if (directory === null) return []
  const newest = (await listBackups(directory).catch(() => [])).slice(0, MOST_FILES)
  const found = await Promise.all(
    newest.map(({ path, madeAt }) =>
      stat(path).then(
        ({ size }) => ({ name: basename(path), bytes: size, madeAtMs: madeAt }),
        () => null,
      ),
    ),
  )
  return found.filter((file) => file !== null)
}
