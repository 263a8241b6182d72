import { type AuditAuthor, type AuditStore, changesBetween, notingChanges } from '../access/audit.ts'

type Audit = Pick<AuditStore, 'write'>

/** Counts by the kind of object. */
type ObjectCounts = ReadonlyMap<string, { readonly created: number; readonly changed: number }>

/**
 * What the audit says of an import, which is many transactions: that it began, in that of the first portion that changes
 * anything, and what it did, in its last one. An import that finds nothing different leaves nothing.
 */
export class ImportTrail {
  readonly #by: { readonly author: AuditAuthor; readonly nowMs: number }
  readonly #from: { readonly product: string; readonly source: string }
  #isBegun = false

  constructor(
    by: { readonly author: AuditAuthor; readonly nowMs: number },
    from: { readonly product: string; readonly source: string },
  ) {
    this.#by = by
    this.#from = from
  }

  /** Within the transaction of a portion. */
  async begin(audit: Audit): Promise<void> {
    if (!this.#isBegun) await this.#write(audit, 'import.begin', {})
  }

  /** A portion that changed something is kept. */
  hasBegun(): void {
    this.#isBegun = true
  }

  /** Within the transaction that ends the import. */
  async finish(audit: Audit, counts: ObjectCounts): Promise<void> {
    if (!this.#isBegun) return
    const done = [...counts].filter(([, { created, changed }]) => created + changed > 0)
    await this.#write(audit, 'import.finish', Object.fromEntries(done.map(([kind, count]) => [kind, { ...count }])))
  }

  #write(audit: Audit, action: string, done: Readonly<Record<string, unknown>>): Promise<void> {
    const changes = changesBetween({}, { ...this.#from, ...done })
    return notingChanges(audit, this.#by)({ action, subject: null, accountId: null, changes })
  }
}
