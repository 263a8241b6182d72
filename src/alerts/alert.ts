import type { AdminIncidentKind } from '../core/admin-incidents.ts'
import type { AdminAlertKind, AlertKind } from '../core/alert-kinds.ts'
import type { ListPlace } from '../core/list-place.ts'
import type { NanoUsd } from '../core/money.ts'
import type { EndingAlertStore } from './ending-alert.ts'
import type { QuotaWindow } from '../core/quota-window.ts'

/** Parts of a quota, in percent, at which its owner gets an alert. */
export const ALERT_PERCENTS = [50, 80, 100] as const
export type AlertPercent = (typeof ALERT_PERCENTS)[number]

/**
 * An alert that a budget has run low; or, to each admin, one of those for admins, with no amounts. The former are written in
 * the transaction that found it so (a settlement, a limit that was moved, an adjustment), so none is missed and none comes
 * twice; `id` is made from the budget, its limit and the line.
 */
export interface BudgetAlert {
  readonly id: string
  readonly kind: AlertKind
  readonly accountId: string
  readonly accountEmail: string
  /** The key or subscription; the account for `low_balance`, the admin's for what admins hear. */
  readonly subjectId: string
  /** The key's or the plan's name, or what one for admins is about; empty for `low_balance`. */
  readonly subjectName: string
  /** null for `low_balance`, ends and those for admins. 100 with less than `limit` used: a request needed more than what was left. */
  readonly percent: AlertPercent | null
  readonly limit: NanoUsd
  readonly used: NanoUsd
  /** null for what has none: a key's quota, a balance. */
  readonly window: QuotaWindow | null
  /** When the period or window ends, or what is announced to end; null: never, or a balance, or a window that no charge has opened. */
  readonly resetsAt: number | null
  readonly createdAt: number
}

/** Where an alert can go. Each way is tried, retried and recorded by itself. */
export type AlertWay = 'webhook' | 'mail'

export interface AlertDelivery {
  readonly alert: BudgetAlert
  readonly way: AlertWay
  /** How many times it was taken, this time included: a node that died while it tried counts too. */
  readonly tries: number
}

/** What happened longer ago is not news: it would be a flood when a way is configured, or after a long outage. */
export const ALERT_NEWS_MS = 24 * 3_600_000

/** So long an alert can be looked up. */
export const ALERT_KEPT_MS = 90 * 24 * 3_600_000

export interface AlertStore extends EndingAlertStore {
  /**
   * Deliveries that are due, oldest first, taken so that no other node tries them before `untilMs`. An alert is due on each
   * of `ways`, from the first time that way is asked for until it is recorded as done or given up, for `ALERT_NEWS_MS` at
   * most. A node that dies between sending and recording leaves it due again at `untilMs`: it goes out once or more, never less.
   */
  take(request: {
    ways: readonly AlertWay[]
    nowMs: number
    untilMs: number
    limit: number
  }): Promise<readonly AlertDelivery[]>
  /** `nextTryAt` null ends it: delivered when `failure` is null, given up otherwise. */
  record(
    delivery: { readonly alertId: string; readonly way: AlertWay },
    outcome: { readonly atMs: number; readonly failure: string | null; readonly nextTryAt: number | null },
  ): Promise<void>
  /** Newest first, with what became of them. */
  list(limit: number, of?: AlertsOf): Promise<readonly RecordedAlert[]>
  /** Deletes up to `limit` of those from `beforeMs` and before, the oldest first. Returns how many. */
  forget(beforeMs: number, limit: number): Promise<number>
}

export interface AdminAlertStore {
  /**
   * Notes it for each admin, once for each hour of `nowMs`. `about`: the name of an upstream, of a credential or
   * target with its upstream's, or of a model.
   */
  tellAdmins(trouble: { readonly kind: AdminAlertKind; readonly about: string }, nowMs: number): Promise<void>
}

export interface AlertHistory {
  /** What admins were alerted to, once for each hour; at most 500, the newest. */
  adminTroubles(span: { readonly fromMs: number; readonly toMs: number }): Promise<readonly AdminTrouble[]>
}

/** A trouble that admins were alerted to in one hour. */
export interface AdminTrouble {
  readonly kind: AdminIncidentKind
  /** The name of what it is about; empty: nothing. */
  readonly about: string
  /** When the hour begins, in epoch milliseconds. */
  readonly hourAt: number
}

/** One account's alone, behind a place; null: from the newest. */
export interface AlertsOf {
  readonly accountId: string
  readonly after: ListPlace | null
}

export interface RecordedAlert {
  readonly alert: BudgetAlert
  /** The ways on which it was tried. */
  readonly deliveries: readonly {
    readonly way: AlertWay
    readonly tries: number
    /** null: nothing more will be tried. */
    readonly nextTryAt: number | null
    readonly deliveredAt: number | null
    /** What the last try failed by. */
    readonly failure: string | null
  }[]
}
