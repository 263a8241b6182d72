import type { Selectable } from 'kysely'
import {
  type Announcement,
  type AnnouncementReader,
  type AnnouncementStore,
  runsAt,
} from '../../access/announcement.ts'
import type { Change } from '../../access/changes.ts'
import { rightsOf } from '../../core/roles.ts'
import type { DeleteAnswer, EditAnswer } from '../../core/stored-edits.ts'
import { SqlStore } from '../engine/database.ts'
import { lockId, lockRow } from '../engine/rows-by-id.ts'
import type { AnnouncementRow } from '../schema/control-rows.ts'
import { changing } from '../engine/changes.ts'

export class SqlAnnouncementStore extends SqlStore implements AnnouncementStore {
  async announcements(): Promise<readonly Announcement[]> {
    const rows = await this.database.kysely.selectFrom('announcements').selectAll().orderBy('id', 'desc').execute()
    return rows.map(announcementOf)
  }

  async runningFor({ accountId, role }: AnnouncementReader, nowMs: number): Promise<readonly Announcement[]> {
    const rows = await this.database.kysely
      .selectFrom('announcements')
      .selectAll()
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('dismissed_announcements')
              .select('announcement_id')
              .whereRef('announcement_id', '=', 'announcements.id')
              .where('account_id', '=', accountId),
          ),
        ),
      )
      .where('starts_at', '<=', nowMs)
      .orderBy('id', 'desc')
      .execute()
    const running = rows.map(announcementOf).filter((each) => runsAt(each, nowMs))
    const isToGroups = running.some(({ audience }) => audience.to === 'groups')
    const ofAccount = isToGroups ? await this.#groupsOf(accountId, nowMs) : new Set()
    return running.filter(({ audience }) => {
      if (audience.to === 'groups') return audience.groupIds.some((id) => ofAccount.has(id))
      if (audience.to === 'role') return audience.role === role
      return audience.to === 'all' || (audience.to === 'staff' && rightsOf(role).includes('staff'))
    })
  }

  async runningSignedOut(nowMs: number): Promise<readonly Announcement[]> {
    const announcements = await this.announcements()
    return announcements.filter((each) => each.audience.to === 'signed_out' && runsAt(each, nowMs))
  }

  addAnnouncement(announcement: Announcement, limit: number): Promise<Change | null> {
    return changing(this.database, async (transaction, record) => {
      // First, because its row is locked: of two that add at once the second one counts both.
      const change = await record('catalog', announcement.id)
      const { count } = await transaction
        .selectFrom('announcements')
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count >= limit) return null
      await transaction.insertInto('announcements').values(rowOf(announcement)).execute()
      return change
    })
  }

  editAnnouncement(id: string, edit: (before: Announcement) => Announcement): Promise<EditAnswer<Announcement>> {
    return changing(this.database, async (transaction, record): Promise<EditAnswer<Announcement>> => {
      const row = await lockRow(transaction, 'announcements', id)
      if (row === undefined) return { kind: 'unknown' }
      const before = announcementOf(row)
      const after = edit(before)
      const { id: _id, created_at: _createdAt, ...columns } = rowOf(after)
      await transaction.updateTable('announcements').set(columns).where('id', '=', id).execute()
      return { kind: 'edited', before, after, seq: (await record('catalog', id)).seq }
    })
  }

  deleteAnnouncement(id: string): Promise<DeleteAnswer<Announcement>> {
    return changing(this.database, async (transaction, record): Promise<DeleteAnswer<Announcement>> => {
      const row = await transaction.deleteFrom('announcements').where('id', '=', id).returningAll().executeTakeFirst()
      if (row === undefined) return { kind: 'unknown' }
      await transaction.deleteFrom('dismissed_announcements').where('announcement_id', '=', id).execute()
      const { seq } = await record('catalog', id)
      return { kind: 'deleted', before: announcementOf(row), seq }
    })
  }

  async dismissAnnouncement(id: string, reader: AnnouncementReader, nowMs: number): Promise<boolean> {
    const { accountId } = reader
    const isShown = (await this.runningFor(reader, nowMs)).some((each) => each.id === id)
    if (!isShown) return this.#isDismissed(id, accountId)
    return this.database.transaction(async (transaction) => {
      // Locked, so that deleting it cannot leave this row behind.
      if (!(await lockId(transaction, 'announcements', id))) return false
      await transaction
        .insertInto('dismissed_announcements')
        .values({ account_id: accountId, announcement_id: id })
        .onConflict((conflict) => conflict.columns(['account_id', 'announcement_id']).doNothing())
        .execute()
      return true
    })
  }

  async #isDismissed(id: string, accountId: string): Promise<boolean> {
    const dismissed = await this.database.kysely
      .selectFrom('dismissed_announcements')
      .select('announcement_id')
      .where('announcement_id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return dismissed !== undefined
  }

  async #groupsOf(accountId: string, nowMs: number): Promise<ReadonlySet<unknown>> {
    const [keys, subscriptions] = await Promise.all([
      this.database.kysely
        .selectFrom('api_keys')
        .select('group_id')
        .distinct()
        .where('account_id', '=', accountId)
        .where('status', '<>', 'deleted')
        .execute(),
      this.database.kysely
        .selectFrom('subscriptions')
        .select('group_ids_json')
        .where('account_id', '=', accountId)
        .where('is_opening_groups', '=', true)
        .where('cancelled_at', 'is', null)
        .where('starts_at', '<=', nowMs)
        .where('ends_at', '>', nowMs)
        .execute(),
    ])
    const subscribed = subscriptions.flatMap((row) => row.group_ids_json as readonly string[])
    return new Set<unknown>([...keys.map((row) => row.group_id), ...subscribed])
  }
}

function rowOf(announcement: Announcement) {
  const { id, createdAt, kind, level, title, text, audience, shows, startsAt, endsAt } = announcement
  return {
    id,
    created_at: createdAt,
    kind,
    level,
    title_json: JSON.stringify(title),
    text_json: JSON.stringify(text),
    audience_json: JSON.stringify(audience),
    shows,
    starts_at: startsAt,
    ends_at: endsAt,
  }
}

function announcementOf(row: Selectable<AnnouncementRow>): Announcement {
  return {
    id: row.id,
    createdAt: row.created_at,
    kind: row.kind,
    level: row.level,
    title: row.title_json,
    text: row.text_json,
    audience: row.audience_json,
    shows: row.shows,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
  }
}
