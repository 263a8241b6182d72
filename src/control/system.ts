import type { RetentionView } from '../contract/retention.ts'
import type { SystemView } from '../contract/system.ts'

/** What the console API knows of the processes, the database and the backups, in the form in which it answers; `app` joins it. */
export interface SystemParts {
  /** Everything as the node that answers sees it. */
  read(): Promise<SystemReading>
  nodes(): Promise<readonly NodeView[]>
  /** The disks that the gateway writes to, as far as they can be seen. */
  disks(): Promise<readonly DiskStanding[]>
  /** What is deleted once it is too old, and what was. */
  retention(): Promise<Omit<RetentionView, 'looked_at'>>
  /** Begins a backup, or a rehearsal of restoring the newest one; both go on after the answer. */
  begin(kind: MaintenanceKind): Promise<MaintenanceStart>
}

export type SystemReading = Pick<SystemView, 'nodes' | 'process' | 'database'> & {
  readonly backups: Omit<SystemView['backups'], 'standing'>
}
export type NodeView = SystemView['nodes'][number]

export type MaintenanceKind = 'backup' | 'rehearsal'

/** `busy`: another one is under way. `not_here`: no directory is set for backups, or the database is not the embedded one. */
export type MaintenanceStart = 'begun' | 'busy' | 'not_here' | 'no_backup'

export type RunningMaintenance = NonNullable<SystemView['backups']['running']>
export type MaintenanceEnd = NonNullable<SystemView['backups']['last_backup']>

/** A disk that the gateway writes to. */
export interface DiskStanding {
  /** What is there; of several things on one disk the first. */
  readonly of: 'data' | 'backups' | 'archive'
  readonly bytes: number
  readonly freeBytes: number
  /** Bytes by which the database there grows in a day; null: not known. */
  readonly growthPerDay: number | null
}

/** Whole days until it is full at that growth; null: not known, or it does not grow. */
export function daysUntilFull({ freeBytes, growthPerDay }: Pick<DiskStanding, 'freeBytes' | 'growthPerDay'>) {
  if (growthPerDay === null || growthPerDay <= 0) return null
  return Math.min(DAY_LIMIT, Math.floor(freeBytes / growthPerDay))
}

const DAY_LIMIT = 100_000
