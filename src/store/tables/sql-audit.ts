import { type Selectable, sql } from 'kysely'
import {
  type AuditEntry,
  type AuditFilter,
  type AuditStore,
  type NamedEntry,
  SUBJECT_ENTRIES_READ,
} from '../../access/audit.ts'
import { SqlStore } from '../engine/database.ts'
import type { AuditRow } from '../schema/control-rows.ts'

const FORGOTTEN = '(closed)'
const GONE = { before: FORGOTTEN, after: FORGOTTEN }
const NAMING: ReadonlySet<string> = new Set(['email', 'name'])

export class SqlAuditStore extends SqlStore implements AuditStore {
  async write(entry: AuditEntry): Promise<void> {
    await this.database.kysely
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
    const database = this.database.kysely
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
      const forgotten = Object.entries(written).map(([field, change]) => [field, NAMING.has(field) ? GONE : change])
      await database
        .updateTable('audit_entries')
        .set({ changes_json: JSON.stringify(Object.fromEntries(forgotten)) })
        .where('id', '=', id)
        .execute()
    }
  }

  async page(filter: AuditFilter): Promise<readonly NamedEntry[]> {
    let query = this.#named().orderBy('audit_entries.id', 'desc').limit(filter.limit)
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
    return (await query.execute()).map(entryOf)
  }

  async lastChangesOf(field: string, subjects: readonly string[]): Promise<ReadonlyMap<string, NamedEntry>> {
    if (subjects.length === 0) return new Map()
    const database = this.database
    const isSqlite = database.kind === 'sqlite'
    const list = JSON.stringify(subjects)
    const each = isSqlite
      ? sql`json_each(${list}) as subjects`
      : sql`jsonb_array_elements_text(${list}::jsonb) as subjects(value)`
    const [named, isIn] = isSqlite
      ? [sql`instr(changes_json, ${JSON.stringify(field)})`, sql`json_type(changes_json, ${`$.${field}`})`]
      : [sql`strpos(changes_json, ${JSON.stringify(field)}::text)`, sql`changes_json::jsonb -> ${field}::text`]
    // Few entries name the field, and a search in the text is sooner done than reading it as JSON.
    const changed = sql`case when ${named} = 0 then false else (${isIn}) is not null end`
    // Each subject's own entries, by the index of them: a subject with many costs others nothing.
    const last = sql<string>`select (select newest.id from (
        select id, changes_json from audit_entries where subject = subjects.value order by subject desc, id desc limit ${SUBJECT_ENTRIES_READ}
      ) newest where ${changed} order by newest.id desc limit 1) from ${each}`
    const rows = await this.#named()
      .where('audit_entries.id', 'in', sql<string>`(${last})`)
      .execute()
    return new Map(rows.map((row) => [row.subject ?? '', entryOf(row)]))
  }

  /** Entries with the names of those in them. An id is of one table alone, so at most one of these finds a row. */
  #named() {
    return this.database.kysely
      .selectFrom('audit_entries')
      .leftJoin('accounts', 'accounts.id', 'audit_entries.actor')
      .leftJoin('accounts as owners', 'owners.id', 'audit_entries.account_id')
      .leftJoin('accounts as subjects', 'subjects.id', 'audit_entries.subject')
      .leftJoin('api_keys', 'api_keys.id', 'audit_entries.subject')
      .leftJoin('groups', 'groups.id', 'audit_entries.subject')
      .leftJoin('models', 'models.id', 'audit_entries.subject')
      .leftJoin('upstreams', 'upstreams.id', 'audit_entries.subject')
      .leftJoin('plans', 'plans.id', 'audit_entries.subject')
      .selectAll('audit_entries')
      .select(['accounts.email as actor_email', 'owners.email as account_email'])
      .select(({ fn }) =>
        fn
          .coalesce(
            'subjects.email',
            'api_keys.name',
            'groups.name',
            'models.name',
            fn.coalesce('upstreams.name', 'plans.name'),
          )
          .as('subject_name'),
      )
  }
}

interface NamedAuditRow extends Selectable<AuditRow> {
  readonly actor_email: string | null
  readonly account_email: string | null
  readonly subject_name: string | null
}

function entryOf(row: NamedAuditRow): NamedEntry {
  return {
    id: row.id,
    createdAt: row.created_at,
    actor: row.actor,
    via: row.via,
    address: row.address,
    action: row.action,
    subject: row.subject,
    accountId: row.account_id,
    changes: row.changes_json,
    actorEmail: row.actor_email,
    subjectName: row.subject_name,
    accountEmail: row.account_email,
  }
}
