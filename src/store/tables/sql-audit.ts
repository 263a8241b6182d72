import type { AuditEntry, AuditFilter, AuditStore, Changes } from '../../access/audit.ts'
import type { Database } from '../engine/database.ts'

export class SqlAuditStore implements AuditStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async write(entry: AuditEntry): Promise<void> {
    await this.#database.kysely
      .insertInto('audit_entries')
      .values({
        id: entry.id,
        created_at: entry.createdAt,
        actor: entry.actor,
        via: entry.via,
        address: entry.address,
        action: entry.action,
        subject: entry.subject,
        account_id: entry.accountId,
        changes_json: JSON.stringify(entry.changes),
      })
      .execute()
  }

  async page(filter: AuditFilter): Promise<readonly (AuditEntry & { actorEmail: string | null })[]> {
    let query = this.#database.kysely
      .selectFrom('audit_entries')
      .leftJoin('accounts', 'accounts.id', 'audit_entries.actor')
      .selectAll('audit_entries')
      .select('accounts.email as actor_email')
      .orderBy('audit_entries.id', 'desc')
      .limit(filter.limit)
    if (filter.actor !== undefined) query = query.where('audit_entries.actor', '=', filter.actor)
    if (filter.action !== undefined) query = query.where('audit_entries.action', '=', filter.action)
    if (filter.subject !== undefined) query = query.where('audit_entries.subject', '=', filter.subject)
    if (filter.fromMs !== undefined) query = query.where('audit_entries.created_at', '>=', filter.fromMs)
    if (filter.toMs !== undefined) query = query.where('audit_entries.created_at', '<', filter.toMs)
    if (filter.after !== null) query = query.where('audit_entries.id', '<', filter.after)
    const rows = await query.execute()
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      actor: row.actor,
      via: row.via,
      address: row.address,
      action: row.action,
      subject: row.subject,
      accountId: row.account_id,
      changes: row.changes_json as Changes,
      actorEmail: row.actor_email,
    }))
  }
}
