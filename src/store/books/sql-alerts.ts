import { type Selectable, sql } from 'kysely'
import { ADMIN_INCIDENTS } from '../../core/admin-incidents.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd } from '../../core/money.ts'
import { type QuotaWindow, windowMs } from '../../core/quota-window.ts'
import {
  type AdminAlertStore,
  type AdminTrouble,
  ALERT_NEWS_MS,
  type AlertDelivery,
  type AlertHistory,
  type AlertPercent,
  type AlertsOf,
  type AlertStore,
  type AlertWay,
  type BudgetAlert,
  type RecordedAlert,
} from '../../alerts/alert.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import type { AlertDeliveryRow, AlertRow } from '../schema/alert-tables.ts'
import { storableText } from '../engine/values.ts'
import { behind } from './newest-first.ts'
import { insertAlerts } from './alert-writes.ts'
import { announceEnds } from './announced-ends.ts'

/** More admins than anyone has; the rest hear of it from the log. */
const ADMINS_LIMIT = 50
const TROUBLES_LIMIT = 500

type Telling = Parameters<AdminAlertStore['tellAdmins']>[0]
type Taking = Parameters<AlertStore['take']>[0]
type DeliveryOutcome = Parameters<AlertStore['record']>[1]

export class SqlAlertStore extends SqlStore implements AlertStore, AdminAlertStore, AlertHistory {
  async take(request: Taking): Promise<readonly AlertDelivery[]> {
    const due = await this.#due(request)
    // Nearly always there is nothing, and then no writer is kept waiting.
    if (due.length === 0) return []
    const tries = await this.database.transaction((transaction) => takeIn(transaction, { due, request }))
    const alerts = await this.#alerts([...new Set(due.map(({ alertId }) => alertId))])
    return due.flatMap(({ alertId, way }) => {
      const [alert, count] = [alerts.get(alertId), tries.get(nameOf(alertId, way))]
      return alert === undefined || count === undefined ? [] : [{ alert, way, tries: count }]
    })
  }

  async record(delivery: { alertId: string; way: AlertWay }, outcome: DeliveryOutcome): Promise<void> {
    const { atMs, failure, nextTryAt } = outcome
    const isDelivered = failure === null && nextTryAt === null
    await this.database.kysely
      .updateTable('alert_deliveries')
      .set({ delivered_at: isDelivered ? atMs : null, failure, next_try_at: nextTryAt })
      .where('alert_id', '=', delivery.alertId)
      .where('way', '=', delivery.way)
      // Another node may have delivered it while this one was frozen: that stands.
      .where('delivered_at', 'is', null)
      .execute()
  }

  async tellAdmins({ kind, about: said }: Telling, nowMs: number): Promise<void> {
    const admins = await this.database.kysely
      .selectFrom('accounts')
      .select('id')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .orderBy('id')
      .limit(ADMINS_LIMIT)
      .execute()
    const about = storableText(said)
    const name = `${kind === 'doubted_usage' ? 'upstream' : kind}:${about}:${Math.floor(nowMs / HOUR_MS)}`
    await insertAlerts(
      this.database.kysely,
      admins.map(({ id }) => ({ id: `${name}:${id}`, kind, subject_id: id, created_at: nowMs, about })),
    )
  }

  announceEnds(nowMs: number, limit: number): Promise<number> {
    return announceEnds(this.database, nowMs, limit)
  }

  async list(limit: number, of?: AlertsOf): Promise<readonly RecordedAlert[]> {
    if (of !== undefined) return this.#listOf(of, limit)
    const rows = await this.database.kysely
      .selectFrom('alerts')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return this.#recorded(rows.map(({ id }) => id))
  }

  /** An alert names what it is about; whose that is, the key, subscription or account itself says. */
  async #listOf({ accountId, after }: AlertsOf, limit: number): Promise<readonly RecordedAlert[]> {
    const query = this.database.kysely
      .selectFrom('alerts')
      .leftJoin('api_keys as key', 'key.id', 'alerts.subject_id')
      .leftJoin('subscriptions as subscription', 'subscription.id', 'alerts.subject_id')
      .select('alerts.id')
      .where((row) => row.fn.coalesce('key.account_id', 'subscription.account_id', 'alerts.subject_id'), '=', accountId)
      .orderBy('alerts.created_at', 'desc')
      .orderBy('alerts.id', 'desc')
      .limit(limit)
    const rows = await (after === null ? query : query.where(behind('alerts', after))).execute()
    return this.#recorded(rows.map(({ id }) => id))
  }

  async #recorded(ids: readonly string[]): Promise<readonly RecordedAlert[]> {
    if (ids.length === 0) return []
    const [alerts, deliveries] = await Promise.all([this.#alerts(ids), this.#deliveries(ids)])
    return ids.flatMap((id) => {
      const alert = alerts.get(id)
      const own = deliveries.filter((row) => row.alert_id === id)
      return alert === undefined ? [] : [{ alert, deliveries: own.map(deliveryOf) }]
    })
  }

  async adminTroubles({ fromMs, toMs }: { fromMs: number; toMs: number }): Promise<readonly AdminTrouble[]> {
    const hour = sql<number>`created_at - created_at % ${sql.lit(HOUR_MS)}`
    const rows = await this.database.views
      .selectFrom('alerts')
      .select((row) => ['kind', row.fn.coalesce('about', sql.lit('')).as('about'), hour.as('hour_at')])
      .distinct()
      .where('created_at', '>=', fromMs)
      .where('created_at', '<', toMs)
      .where('kind', 'in', ADMIN_INCIDENTS)
      .orderBy('hour_at', 'desc')
      .limit(TROUBLES_LIMIT)
      .execute()
    return rows.flatMap(({ kind, about, hour_at: hourAt }) => {
      const known = ADMIN_INCIDENTS.find((each) => each === kind)
      return known === undefined ? [] : [{ kind: known, about, hourAt }]
    })
  }

  async forget(beforeMs: number, limit: number): Promise<number> {
    const rows = await this.database.kysely
      .selectFrom('alerts')
      .select('id')
      .where('created_at', '<=', beforeMs)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await this.database.transaction((transaction) => deleteIn(transaction, ids))
    return ids.length
  }

  /** What seems to be due: another node may take it before this one does. */
  async #due({ ways, nowMs, limit }: Taking): Promise<readonly DueDelivery[]> {
    const perWay = await Promise.all(
      ways.map((way) =>
        this.database.kysely
          .selectFrom('alerts')
          .leftJoin('alert_deliveries as delivery', (join) =>
            join.onRef('delivery.alert_id', '=', 'alerts.id').on('delivery.way', '=', way),
          )
          .select(['alerts.id as alert_id', 'alerts.created_at'])
          .where('alerts.created_at', '>', nowMs - ALERT_NEWS_MS)
          // What goes to each admin by mail is one post.
          .$if(way === 'webhook', (query) => query.where(IS_FIRST_OF_ADMINS))
          .where((row) => row.or([row('delivery.alert_id', 'is', null), row('delivery.next_try_at', '<=', nowMs)]))
          .orderBy('alerts.created_at')
          .orderBy('alerts.id')
          .limit(limit)
          .execute()
          .then((rows) => rows.map((row) => ({ alertId: row.alert_id, way, createdAt: row.created_at }))),
      ),
    )
    return perWay
      .flat()
      .sort((a, b) => a.createdAt - b.createdAt)
      .slice(0, limit)
  }

  async #alerts(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetAlert>> {
    const rows = await this.database.kysely
      .selectFrom('alerts')
      .leftJoin('api_keys as key', 'key.id', 'alerts.subject_id')
      .leftJoin('subscriptions as subscription', 'subscription.id', 'alerts.subject_id')
      .innerJoin('accounts as account', (join) =>
        join.onRef('account.id', '=', (row) =>
          row.fn.coalesce('key.account_id', 'subscription.account_id', 'alerts.subject_id'),
        ),
      )
      .selectAll('alerts')
      .select(['account.id as account_id', 'account.email as account_email'])
      .select((row) =>
        row.fn.coalesce('key.name', 'subscription.plan_name', 'alerts.about', sql<string>`''`).as('subject_name'),
      )
      .where('alerts.id', 'in', ids)
      .execute()
    return new Map(rows.map((row) => [row.id, alertOf(row)]))
  }

  #deliveries(alertIds: readonly string[]) {
    return this.database.kysely
      .selectFrom('alert_deliveries')
      .selectAll()
      .where('alert_id', 'in', alertIds)
      .orderBy('way')
      .execute()
  }
}

const IS_FIRST_OF_ADMINS = sql<boolean>`not exists (select 1 from alerts as other where other.about = alerts.about
  and other.kind = alerts.kind and other.created_at = alerts.created_at and other.id < alerts.id)`

interface DueDelivery {
  readonly alertId: string
  readonly way: AlertWay
  readonly createdAt: number
}

/** Returns how many tries there were, for those not taken before. */
async function takeIn(
  transaction: TablesTransaction,
  { due, request: { nowMs, untilMs } }: { due: readonly DueDelivery[]; request: Taking },
): Promise<ReadonlyMap<string, number>> {
  const taken = await transaction
    .insertInto('alert_deliveries')
    .values(
      // Always in one order: two nodes that take the same wait for each other, never both.
      due
        .toSorted((a, b) => (nameOf(a.alertId, a.way) < nameOf(b.alertId, b.way) ? -1 : 1))
        .map(({ alertId, way }) => ({
          alert_id: alertId,
          way,
          tries: 1,
          next_try_at: untilMs,
          delivered_at: null,
          failure: null,
        })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['alert_id', 'way'])
        .doUpdateSet((row) => ({ tries: row('alert_deliveries.tries', '+', 1), next_try_at: untilMs }))
        .where('alert_deliveries.next_try_at', '<=', nowMs),
    )
    .returning(['alert_id', 'way', 'tries'])
    .execute()
  return new Map(taken.map((row) => [nameOf(row.alert_id, row.way), row.tries]))
}

async function deleteIn(transaction: TablesTransaction, ids: readonly string[]): Promise<void> {
  await transaction.deleteFrom('alert_deliveries').where('alert_id', 'in', ids).execute()
  await transaction.deleteFrom('alerts').where('id', 'in', ids).execute()
}

function nameOf(alertId: string, way: AlertWay): string {
  return `${alertId} ${way}`
}

function alertOf(
  row: Selectable<AlertRow> & { account_id: string; account_email: string; subject_name: string },
): BudgetAlert {
  return {
    id: row.id,
    kind: row.kind,
    accountId: row.account_id,
    accountEmail: row.account_email,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    percent: row.percent as AlertPercent | null,
    limit: nanoUsd(row.limit_nano),
    used: nanoUsd(row.used_nano),
    window: WINDOWS.find((window) => windowMs(window) === row.window_ms) ?? null,
    resetsAt: row.resets_at,
    createdAt: row.created_at,
  }
}

function deliveryOf(row: Selectable<AlertDeliveryRow>): RecordedAlert['deliveries'][number] {
  return {
    way: row.way,
    tries: row.tries,
    nextTryAt: row.next_try_at,
    deliveredAt: row.delivered_at,
    failure: row.failure,
  }
}

const WINDOWS: readonly QuotaWindow[] = ['5h', '1d', '7d', '30d']
