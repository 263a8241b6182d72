import { type RawBuilder, sql } from 'kysely'
import {
  END_NOTICES,
  ENDING_ALERTS,
  type AnnouncedEnd,
  type EndNotice,
  LASTS_AT_LEAST,
} from '../../alerts/ending-alert.ts'
import type { Database } from '../engine/database.ts'
import { insertAlerts } from './alert-writes.ts'

interface End {
  readonly alert_id: string
  readonly subject_id: string
  readonly ends_at: number
}

/** See `EndingAlertStore.announceEnds`. */
export async function announceEnds(database: Database, nowMs: number, limit: number): Promise<number> {
  let noted = 0
  for (const notice of END_NOTICES) {
    for (const kind of ENDING_ALERTS) {
      const ends = await due(database, kind, { notice, nowMs, limit })
      noted += await insertAlerts(
        database.kysely,
        ends.map((end) => ({
          id: end.alert_id,
          kind,
          subject_id: end.subject_id,
          resets_at: end.ends_at,
          created_at: nowMs,
        })),
      )
    }
  }
  return noted
}

interface AnnouncementDue {
  readonly notice: EndNotice
  readonly nowMs: number
  readonly limit: number
}

/** Keys and subscriptions that could be announced, with their beginning and end. */
const ENDINGS: Readonly<Record<AnnouncedEnd, RawBuilder<unknown>>> = {
  key_ending: sql`
    select id, account_id, created_at as begins_at, expires_at as ends_at from api_keys
    where status = 'active' and is_for_playground = 0 and expires_at is not null`,
  subscription_ending: sql`
    select id, account_id, starts_at as begins_at, ends_at from subscriptions as held
    where cancelled_at is null and renews_up_to_nano is null and not exists (select 1 from subscriptions as other
      where other.account_id = held.account_id and other.plan_id = held.plan_id
        and other.cancelled_at is null and other.ends_at > held.ends_at)`,
}

async function due(database: Database, kind: AnnouncedEnd, by: AnnouncementDue): Promise<readonly End[]> {
  const { notice, nowMs, limit } = by
  const alertId = sql`'end:' || ending.id || ':' || ending.ends_at || ${sql.lit(`:${notice.name}`)}`
  const { rows } = await sql<End>`
    select ${alertId} as alert_id, ending.id as subject_id, ending.ends_at
    from (${ENDINGS[kind]}) as ending join accounts on accounts.id = ending.account_id
    where ending.ends_at > ${nowMs + notice.untilMs} and ending.ends_at <= ${nowMs + notice.fromMs}
      and ending.ends_at - ending.begins_at >= ${LASTS_AT_LEAST * notice.fromMs} and accounts.status = 'active'
      and not exists (select 1 from alerts where alerts.id = ${alertId})
    order by ending.ends_at, ending.id limit ${limit}`.execute(database.views)
  return rows
}
