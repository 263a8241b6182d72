import type { LedgerDays, LedgerEntryView, RedeemAnswerView, SubscriptionView } from '../../src/contract/billing.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { dayOffsetMinutes } from '../format/local-time.ts'
import { post, read, readKept, readPages } from './request.ts'

/** The query of the ledger, as the API names it. */
export interface LedgerQuery {
  /** Another account’s, for staff; left out: the own. */
  readonly account_id?: string
  readonly kind?: string
  readonly from?: string
  readonly to?: string
  readonly cursor?: string
  readonly limit?: number
}

const MOST_SUBSCRIPTIONS = 100

/** A page of ledger entries, newest first. */
export const ledgerQuery = (query: LedgerQuery) =>
  readKept<Page<LedgerEntryView>>(['ledger', query], '/api/ledger', { query: { ...query } })

/** The ledger day by day, in the reader's days; each page is a month of it, newest first. */
export const ledgerDaysQuery = () => {
  const offset = dayOffsetMinutes(Date.now())
  return readPages<LedgerDays>(['ledger', 'days', offset], '/api/ledger/days', { offset_minutes: offset })
}

/** All subscriptions of the account: running, over, and yet to begin. */
export const subscriptionsQuery = read<Page<SubscriptionView>>(['subscriptions'], '/api/subscriptions', {
  query: { limit: MOST_SUBSCRIPTIONS },
})

/** `upTo`: what a renewal may cost at the most; null: it ends. */
export const setRenewal = (id: string, upTo: string | null) =>
  post<SubscriptionView>(`/api/subscriptions/${id}/renewal`, { up_to: upTo })

export const redeemCode = (code: string, idempotencyKey: string) =>
  post<RedeemAnswerView>('/api/redeem', { code }, idempotencyKey)
