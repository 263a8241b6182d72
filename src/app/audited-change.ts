import { BY_CLI, type AuditAuthor, type AuditStore, notingChanges, type NoteChange } from '../access/audit.ts'

interface Audited {
  readonly audit: Pick<AuditStore, 'write'>
}

/**
 * Makes a change and writes its audit entry, in one transaction, as `Call.change` does for a route of the API: both are kept,
 * or neither. What `work` throws undoes all of it. `work` may run again, so it prints nothing, and it waits for the database
 * alone.
 */
export function auditedChange<Stores extends Audited, Made>(
  by: {
    readonly store: { together<T>(work: (stores: Stores) => Promise<T>): Promise<T> }
    /** Absent: the command line. */
    readonly author?: AuditAuthor
    /** Epoch milliseconds. */
    readonly nowMs: number
  },
  work: (stores: Stores, audit: NoteChange) => Promise<Made>,
): Promise<Made> {
  const { author = BY_CLI, nowMs } = by
  return by.store.together((stores) => work(stores, notingChanges(stores.audit, { author, nowMs })))
}
