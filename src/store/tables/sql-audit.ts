import type { AuditEntry, AuditFilter, AuditStore, Changes } from '../../access/audit.ts'
import type { Database } from '../engine/database.ts'

const FORGOTTEN = '(closed)'
const GONE = { before: FORGOTTEN, after: FORGOTTEN }
const NAMING: ReadonlySet<string> = new Set(['email', 'name'])

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

  async forget(accountId: string, email: string): Promise<void> {
    const database = this.#database.kysely
    const rows = await database
      .selectFrom('audit_entries')
      .select(['id', 'changes_json'])
      .where((entry) =>
        entry.or([
          entry('account_id', '=', accountId),
          entry('subject', '=', accountId),
          entry('action', '=', 'invitation.create'),
        ]),
      )
      .execute()
    const address = new RegExp(RegExp.escape(email), 'giu')
    for (const { id, changes_json: written } of rows) {
      const before = JSON.stringify(written)
      const after = JSON.stringify(written, (_, value: unknown) =>
        typeof value === 'string' ? value.replaceAll(address, FORGOTTEN) : value,
      )
      if (after !== before) {
        await database.updateTable('audit_entries').set({ changes_json: after }).where('id', '=', id).execute()
      }
    }
    // Whatever the owner was called before, too.
    const named = await database
      .selectFrom('audit_entries')
      .select(['id', 'changes_json'])
      .where('subject', '=', accountId)
      .where('action', 'in', ['account.create', 'account.profile'])
      .execute()
    for (const { id, changes_json: written } of named) {
      const changes = written as Changes
      const forgotten = Object.entries(changes).map(([field, change]) => [field, NAMING.has(field) ? GONE : change])
      await database
        .updateTable('audit_entries')
        .set({ changes_json: JSON.stringify(Object.fromEntries(forgotten)) })
        .where('id', '=', id)
        .execute()
    }
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
    const { action } = filter
    if (action?.endsWith('.') === true) {
      // What follows a dot in the order of characters: the index finds a span.
      query = query
        .where('audit_entries.action', '>=', action)
        .where('audit_entries.action', '<', `${action.slice(0, -1)}/`)
    } else if (action !== undefined) query = query.where('audit_entries.action', '=', action)
    if (filter.address !== undefined) query = query.where('audit_entries.address', '=', filter.address)
    if (filter.subject !== undefined) query = query.where('audit_entries.subject', '=', filter.subject)
    if (filter.account !== undefined) query = query.where('audit_entries.account_id', '=', filter.account)
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
