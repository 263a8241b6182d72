import type { NoteChange } from '../../access/audit.ts'
import type { DeclaredStatus, DeclaredStatuses } from '../../access/declared-status.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { AppliedStores, ApplyStore } from './apply-store.ts'
import type { DeclarativeFile } from './declarative-file.ts'

/** What every step of applying works with. */
export interface ApplyStep extends Installation {
  readonly file: DeclarativeFile
  readonly notes: Notes
  readonly statuses: ApplyStatuses
  /** Makes a change of one object and writes its audit entry, in one transaction. See `auditedChange`. */
  change<Made>(work: (stores: AppliedStores, audit: NoteChange) => Promise<Made>): Promise<Made>
}

/** What the file says of the status of accounts and keys, and what it said when it was applied last. */
export interface ApplyStatuses {
  readonly before: DeclaredStatuses
  readonly now: Map<string, DeclaredStatus>
}

export interface Notes {
  readonly changes: string[]
  readonly warnings: string[]
}

/** What the file is applied to, and with. */
export interface Installation {
  readonly store: ApplyStore
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  readonly nowMs: number
}
