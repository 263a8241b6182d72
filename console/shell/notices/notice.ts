import type { AlertView } from '../../../src/contract/administration.ts'
import type { Me } from '../../../src/contract/me.ts'
import type { Overview } from '../../../src/contract/overview.ts'
import type { VisitsView } from '../../../src/contract/see-as.ts'
import { nanoOf } from '../../format/decimal.ts'
import { hasFailed } from '../../api/failed-first.ts'

type Visit = VisitsView['data'][number]

/** Something that the owner of an account should know. `id`: the same until it is another matter. */
export type Notice = { readonly id: string } & (
  | { readonly kind: 'balance'; readonly isEmpty: boolean; readonly daysLeft: number }
  | { readonly kind: 'key'; readonly key: Overview['keys'][number] }
  | { readonly kind: 'subscription'; readonly plan: string; readonly endsAt: string }
  | { readonly kind: 'alert'; readonly alert: AlertView }
  | { readonly kind: 'password' }
  | { readonly kind: 'visit'; readonly visit: Visit }
)

const FEW_DAYS = 3
const FEW_DAYS_MS = FEW_DAYS * 24 * 3_600_000
const VISIT_SHOWN_MS = 14 * 24 * 3_600_000

/** What there is to know, from the facts of the overview: what stops requests first, then what will, then what happened. */
export function noticesOf(overview: Overview, me: Pick<Me, 'has_password'>, nowMs: number): readonly Notice[] {
  const { balance, keys, subscriptions, alerts } = overview
  const daysLeft = balance.days_left
  const isEmpty = nanoOf(balance.amount) <= 0n && subscriptions.length === 0
  const isLow = daysLeft !== null && daysLeft <= FEW_DAYS
  return [
    ...(isEmpty || isLow
      ? [
          {
            id: isEmpty ? 'balance empty' : 'balance low',
            kind: 'balance',
            isEmpty,
            daysLeft: daysLeft ?? 0,
          } as const,
        ]
      : []),
    ...keys.map((key) => ({ id: keyNoticeId(key, nowMs), kind: 'key', key }) as const),
    ...subscriptions
      .filter(({ ends_at }) => Date.parse(ends_at) - nowMs < FEW_DAYS_MS)
      .map(
        ({ id, plan, ends_at }) =>
          ({ id: `ends ${id} ${ends_at}`, kind: 'subscription', plan, endsAt: ends_at }) as const,
      ),
    ...alerts.map((alert) => ({ id: `alert ${alert.id}`, kind: 'alert', alert }) as const),
    ...(me.has_password ? [] : [{ id: 'password', kind: 'password' } as const]),
  ]
}

/** A limit that is reached is another matter than one that is near. */
function keyNoticeId({ id, why, window, used, limit, at }: Overview['keys'][number], nowMs: number): string {
  const isOver =
    used === null || limit === null ? at !== null && Date.parse(at) <= nowMs : nanoOf(used) >= nanoOf(limit)
  return ['key', id, why, window ?? '-', isOver ? 'over' : 'near', at ?? '-'].join(' ')
}

/** Notices that admins saw the account as its owner does, of the last two weeks. */
export function visitNotices(visits: readonly Visit[], nowMs: number): readonly Notice[] {
  return visits
    .filter(({ at }) => nowMs - Date.parse(at) < VISIT_SHOWN_MS)
    .map((visit) => ({ id: `visit ${visit.id}`, kind: 'visit', visit }) as const)
}

/** How many of the newest requests failed after a moment. The overview has ten: `isMore` says that there may be others. */
export function failedSince(requests: Overview['requests'], since: string): { count: number; isMore: boolean } {
  const fresh = requests.filter(({ created_at }) => Date.parse(created_at) > Date.parse(since))
  return { count: fresh.filter(hasFailed).length, isMore: fresh.length > 0 && fresh.length === requests.length }
}
