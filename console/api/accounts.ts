import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AccountView } from '../../src/contract/accounts.ts'
import type { LedgerEntryView } from '../../src/contract/billing.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { request } from './request.ts'

const LATEST_ENTRIES = 20

const pathOf = (id: string): string => `/api/accounts/${encodeURIComponent(id)}`

/** A page of accounts, newest first; the server searches, filters and pages. */
export const accountsQuery = (query: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: ['accounts', 'page', query],
    queryFn: ({ signal }) => request<Page<AccountView>>('/api/accounts', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => request<AccountView>(pathOf(id), { signal }),
  })

/** Its newest ledger entries. */
export const accountLedgerQuery = (id: string) =>
  queryOptions({
    queryKey: ['accounts', 'ledger', id],
    queryFn: ({ signal }) =>
      request<Page<LedgerEntryView>>(`${pathOf(id)}/ledger`, { query: { limit: LATEST_ENTRIES }, signal }),
  })

export interface CreditWish {
  /** USD. */
  readonly amount: string
  readonly reason: string
  /** The sender's own; the same one credits an account once. Empty: none. */
  readonly reference: string
}

export function creditAccount(id: string, { amount, reason, reference }: CreditWish): Promise<LedgerEntryView> {
  const isNamed = reference !== ''
  return request<LedgerEntryView>(`${pathOf(id)}/ledger`, {
    method: 'POST',
    body: { amount, reason: isNamed ? `${reason} (${reference})` : reason, kind: 'credit' },
    idempotencyKey: isNamed ? `reference.${id}.${reference}` : newIdempotencyKey(),
  })
}

export function setAccountStatus(id: string, status: AccountView['status']): Promise<AccountView> {
  return request<AccountView>(pathOf(id), { method: 'PATCH', body: { status } })
}

/** A link that is shown once. */
export interface OneTimeLink {
  /** null: it was shown before. */
  readonly url: string | null
  readonly expires_at: string
  readonly was_mailed: boolean
}

export function makeResetLink(id: string): Promise<OneTimeLink> {
  return request<OneTimeLink>(`${pathOf(id)}/reset-link`, { method: 'POST' })
}

export function invite(
  wish: { readonly email: string | null; readonly role: AccountView['role'] },
  idempotencyKey: string,
): Promise<OneTimeLink> {
  return request<OneTimeLink>('/api/invitations', { method: 'POST', body: wish, idempotencyKey })
}
