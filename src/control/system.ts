import type { Archive, ArchiveKind } from '../metering/usage/retention.ts'

/** What the console API knows of the processes, the database and the backups; `app` joins it. */
export interface SystemParts {
  /** Everything as the node that answers sees it. */
  read(): Promise<SystemNow>
  nodes(): Promise<readonly NodeNow[]>
  /** The disks that the gateway writes to, as far as they can be seen. */
  disks(): Promise<readonly DiskStanding[]>
  /** What is deleted once it is too old, and what was. */
  retention(): Promise<RetentionNow>
  /** Begins a backup, or a rehearsal of restoring the newest one; both go on after the answer. */
  begin(kind: MaintenanceKind): Promise<MaintenanceStart>
}

export type MaintenanceKind = 'backup' | 'rehearsal'

/** `busy`: another one is under way. `not_here`: no directory is set for backups, or the database is not the embedded one. */
export type MaintenanceStart = 'begun' | 'busy' | 'not_here' | 'no_backup'

export interface SystemNow {
  readonly nodes: readonly NodeNow[]
  readonly process: {
    /** Epoch milliseconds. */
    readonly startedAtMs: number
    readonly threads: number
    readonly memoryBytes: number
    readonly inFlight: number
    /** Grants of leases since the start. */
    readonly leaseGrants: number
    /** Settlements that wait to be written. */
    readonly settleQueue: number
    /** Settlements that no book took, since the start. */
    readonly setAside: number
  }
  readonly database: {
    readonly engine: 'sqlite' | 'postgres'
    readonly bytes: number
    readonly walBytes: number | null
    /** null: too few days are known. */
    readonly growthPerDay: number | null
    /** The disk that the embedded database is on. */
    readonly disk: { readonly bytes: number; readonly freeBytes: number } | null
    readonly tables: readonly { readonly name: string; readonly bytes: number; readonly rows: number | null }[] | null
    readonly migrations: { readonly count: number; readonly newest: string; readonly newestAtMs: number }
  }
  readonly backups: {
    /** Where the gateway makes its own; null: it makes none. */
    readonly directory: string | null
    readonly everyHours: number
    readonly keep: number
    /** Whether the secret is in them. */
    readonly hasSecret: boolean
    /** Newest first. */
    readonly files: readonly { readonly name: string; readonly bytes: number; readonly madeAtMs: number }[]
    readonly running: RunningMaintenance | null
    readonly last: Readonly<Partial<Record<MaintenanceKind, Ended>>>
  }
}

export interface NodeNow {
  readonly id: string
  readonly isHere: boolean
  /** The name of its host, and the number of its process there. */
  readonly host: string
  readonly processId: number
  /** Epoch milliseconds. */
  readonly sinceMs: number
  /** How many changes it has not followed yet that another node has. */
  readonly behind: number
  /** null: it has not said yet. */
  readonly standing: NodeFigures | null
}

/** What a node says of itself. */
export interface NodeFigures {
  readonly version: string
  readonly inFlight: number
  /** The share of time in which its thread works. */
  readonly busy: number
  /** Milliseconds by which its clock is ahead at the least; null: not known. */
  readonly clock: { readonly database: number | null; readonly providers: number | null }
}

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

export interface RunningMaintenance {
  readonly kind: MaintenanceKind
  readonly sinceMs: number
  /** null: not known. */
  readonly share: number | null
}

/** How one ended that was begun by hand since this process started. */
export interface Ended {
  readonly atMs: number
  readonly tookMs: number
  /** The name of the file that was made or tried. */
  readonly file: string
  /** What went wrong, for admins; null: nothing. */
  readonly failure: string | null
  /** What a rehearsal proved that came so far. */
  readonly proof: { readonly accounts: number; readonly entries: number; readonly disagreements: number } | null
}

export interface RetentionNow {
  readonly kinds: readonly {
    readonly kind: ArchiveKind
    /** The environment variable of its period. */
    readonly variable: string
    /** null: for ever. */
    readonly keepDays: number | null
    /** What began before goes with the next run. */
    readonly beforeMs: number | null
    readonly due: number | null
  }[]
  readonly keepSessionsDays: number
  readonly archiveDirectory: string
  /** null: this process runs none. */
  readonly run: RetentionRunNow | null
  /** Files, records and bytes of all archives. */
  readonly archived: { readonly files: number; readonly records: number; readonly bytes: number }
  /** The newest. */
  readonly archives: readonly Archive[]
}

/** Times are epoch milliseconds. */
export interface RetentionRunNow {
  readonly isRunning: boolean
  readonly nextAtMs: number
  /** The last of each kind since this process started. */
  readonly last: {
    readonly atMs: number
    readonly tookMs: number
    readonly retired: Readonly<Record<ArchiveKind, number>>
    readonly sessions: number
    readonly archives: readonly string[]
    readonly unusable: readonly string[]
    /** What went wrong, for admins; null: nothing. */
    readonly failure: string | null
  } | null
}
