import { maintenanceBegun, maintenanceOrder, system, type SystemView } from '../../contract/system.ts'
import { retention, type RetentionView } from '../../contract/retention.ts'
import { Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import { daysUntilFull, type Ended, type RetentionRunNow, type SystemNow } from '../system.ts'

const route = routesOf('Administration')

const readSystem = route('get /api/system', {
  summary: 'Read how nodes, database and backups stand',
  description:
    'Nodes and database are of the whole installation; the process and what an admin began are of the one that answers.',
  who: 'staff',
  answer: system,
  async handle({ nowMs }, { system: parts, backupStanding, instance }): Promise<SystemView> {
    const [now, standing] = await Promise.all([parts.read(), backupStanding()])
    const { process: here, backups } = now
    return {
      looked_at: timeOnWire(nowMs),
      version: instance.version,
      node_version: process.version,
      nodes: now.nodes.map((node) => ({
        id: node.id,
        here: node.isHere,
        host: node.host,
        process_id: node.processId,
        since: timeOnWire(node.sinceMs),
        behind: node.behind,
        standing: node.standing && {
          version: node.standing.version,
          in_flight: node.standing.inFlight,
          busy: node.standing.busy,
          clock: node.standing.clock,
        },
      })),
      process: {
        started_at: timeOnWire(here.startedAtMs),
        threads: here.threads,
        memory_bytes: here.memoryBytes,
        in_flight: here.inFlight,
        lease_grants: here.leaseGrants,
        settle_queue: here.settleQueue,
        set_aside: here.setAside,
      },
      database: databaseOf(now.database),
      backups: {
        directory: backups.directory,
        every_hours: backups.everyHours,
        keep: backups.keep,
        has_secret: backups.hasSecret,
        files: backups.files.map(({ name, bytes, madeAtMs }) => ({ name, bytes, made_at: timeOnWire(madeAtMs) })),
        standing: standing && {
          newest_at: timeOrNull(standing.newestAtMs === null ? null : Math.round(standing.newestAtMs)),
          is_old: standing.isOld,
          max_age_hours: standing.maxAgeHours,
        },
        running: backups.running && {
          kind: backups.running.kind,
          since: timeOnWire(backups.running.sinceMs),
          share: backups.running.share,
        },
        last_backup: endedOf(backups.last.backup),
        last_rehearsal: endedOf(backups.last.rehearsal),
      },
    }
  },
})

const readRetention = route('get /api/system/retention', {
  summary: 'Read what is deleted once it is too old',
  description:
    'The periods, how much would go with the next run, what the last one did, and the archives that records were written to before. What is due is counted: in a large database that takes seconds.',
  who: 'staff',
  answer: retention,
  async handle({ nowMs }, { system: parts }): Promise<RetentionView> {
    const now = await parts.retention()
    return {
      looked_at: timeOnWire(nowMs),
      kinds: now.kinds.map(({ kind, variable, keepDays, beforeMs, due }) => {
        return { kind, variable, keep_days: keepDays, before: timeOrNull(beforeMs), due }
      }),
      keep_sessions_days: now.keepSessionsDays,
      archive_directory: now.archiveDirectory,
      run: now.run && runOf(now.run),
      archived: { ...now.archived },
      archives: now.archives.map(({ name, kind, dayAt, records, bytes, writtenAt, isFinished }) => {
        const day = timeOnWire(dayAt).slice(0, 10)
        return { name, kind, day, records, bytes, written_at: timeOnWire(writtenAt), finished: isFinished }
      }),
    }
  },
})

const beginMaintenance = route('post /api/system/maintenance', {
  summary: 'Begin a backup, or a rehearsal of restoring the newest',
  description:
    'Answers at once; GET /api/system says how far it is and how it ended. A rehearsal restores the newest backup beside the running database, brings it up to this version and proves its books; nothing of it is kept. Both are for the embedded database, where TOLLGATE_BACKUP_DIR is set.',
  who: 'admin',
  body: maintenanceOrder,
  answer: maintenanceBegun,
  status: 202,
  problems: ['conflict'],
  example: { body: { kind: 'rehearsal' } },
  async handle(call, { system: parts }) {
    const { kind } = call.body
    // Before it begins: what cannot be written down is not begun.
    await call.change((_store, audit) =>
      audit({ action: `system.${kind}`, subject: null, accountId: null, changes: {} }),
    )
    const begun = await parts.begin(kind)
    if (begun === 'begun') return { kind }
    throw new Problem('conflict', REFUSALS[begun])
  },
})

export const systemRoutes: readonly ApiRoute[] = [readSystem, readRetention, beginMaintenance]

const REFUSALS = {
  busy: 'A backup or a rehearsal is under way: wait until it has ended.',
  not_here:
    'The gateway makes no backups: set TOLLGATE_BACKUP_DIR and restart. PostgreSQL has its own tools, such as pg_dump.',
  no_backup: 'There is no backup yet: make one first.',
} as const

function databaseOf({ growthPerDay, disk, ...of }: SystemNow['database']): SystemView['database'] {
  return {
    engine: of.engine,
    bytes: of.bytes,
    wal_bytes: of.walBytes,
    growth_bytes_per_day: growthPerDay,
    disk: disk && { bytes: disk.bytes, free_bytes: disk.freeBytes },
    full_in_days: disk === null ? null : daysUntilFull({ ...disk, growthPerDay }),
    tables: of.tables && of.tables.map((table) => ({ ...table })),
    migrations: {
      count: of.migrations.count,
      newest: of.migrations.newest,
      newest_at: timeOnWire(of.migrations.newestAtMs),
    },
  }
}

function endedOf(ended: Ended | undefined): SystemView['backups']['last_backup'] {
  if (ended === undefined) return null
  const { atMs, tookMs, file, failure, proof } = ended
  return { at: timeOnWire(atMs), took_ms: tookMs, file, failure, proof: proof && { ...proof } }
}

const NAMES_SHOWN = 10

function runOf({ isRunning, nextAtMs, last }: RetentionRunNow): NonNullable<RetentionView['run']> {
  return {
    running: isRunning,
    next_at: timeOnWire(nextAtMs),
    last: last && {
      at: timeOnWire(last.atMs),
      took_ms: last.tookMs,
      deleted: { ...last.retired, sessions: last.sessions },
      archives: last.archives.slice(-NAMES_SHOWN),
      unusable: last.unusable.slice(0, NAMES_SHOWN),
      failure: last.failure,
    },
  }
}
