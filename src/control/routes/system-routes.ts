import { maintenanceBegun, maintenanceOrder, system } from '../../contract/system.ts'
import { retention } from '../../contract/retention.ts'
import { Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

const route = routesOf('Administration')

const readSystem = route('get /api/system', {
  summary: 'Read how nodes, database and backups stand',
  description:
    'Nodes and database are of the whole installation; the process and what an admin began are of the one that answers.',
  who: 'staff',
  answer: system,
  async handle({ nowMs }, { system: parts, backupStanding, instance }) {
    const [{ backups, ...now }, standing] = await Promise.all([parts.read(), backupStanding()])
    return {
      looked_at: timeOnWire(nowMs),
      version: instance.version,
      node_version: process.version,
      ...now,
      backups: {
        ...backups,
        standing: standing && {
          newest_at: timeOrNull(standing.newestAtMs === null ? null : Math.round(standing.newestAtMs)),
          is_old: standing.isOld,
          max_age_hours: standing.maxAgeHours,
        },
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
  handle: async ({ nowMs }, { system: parts }) => ({ looked_at: timeOnWire(nowMs), ...(await parts.retention()) }),
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
