import { BY_CLI, type NoteChange } from '../../access/audit.ts'
import type { TransactionStores, Store } from '../../store/store.ts'
import { auditedChange } from '../audited-change.ts'

/** A change by a command, and its audit entry in the name of the command line, in one transaction. See `auditedChange`. */
export function changeByCli<Made>(
  { store, nowMs }: { readonly store: Pick<Store, 'together'>; readonly nowMs: number },
  work: (stores: TransactionStores, audit: NoteChange) => Promise<Made>,
): Promise<Made> {
  return auditedChange({ store, author: BY_CLI, nowMs }, work)
}
