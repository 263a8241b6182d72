import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OrderView, PaymentOffer, PaymentSettingsPatch, PaymentSettingsView } from '../../src/contract/payments.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { patch, post, read, request } from './request.ts'

const AT_A_TIME = 20

/** What can be bought, and how it can be paid; no provider: nothing. */
export const paymentOfferQuery = read<PaymentOffer>(['payments'], '/api/payments')

/** Newest first; of the reader's own account, or (for staff) of all. */
export const ordersQuery = (whose: 'own' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['orders', whose],
    queryFn: ({ signal, pageParam }) =>
      request<Page<OrderView>>('/api/orders', {
        query: {
          limit: AT_A_TIME,
          ...(whose === 'all' ? { account_id: '*' } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Balance or a plan, and how it is paid. */
export type NewOrder = ({ readonly amount: string } | { readonly plan: string }) & {
  readonly provider: PaymentOffer['providers'][number]['name']
  readonly way?: string
}

export function createOrder(body: NewOrder, idempotencyKey: string): Promise<OrderView> {
  return post('/api/orders', body, idempotencyKey)
}

export function refundOrder(
  id: string,
  body: { readonly amount?: string; readonly reason: string },
  idempotencyKey: string,
): Promise<OrderView> {
  return post(`/api/orders/${encodeURIComponent(id)}/refund`, body, idempotencyKey)
}

/** How payments are taken, with the version that an edit names. Keys are not in it. */
export const paymentSettingsQuery = read<PaymentSettingsView>(['settings', 'payments'], '/api/payment-settings')

/** `version`: of the settings as they were read. */
export function changePaymentSettings(body: PaymentSettingsPatch, version: string): Promise<PaymentSettingsView> {
  return patch('/api/payment-settings', body, version)
}

/** What a shop signs its orders with; it replaces the one before. `secret` null: the answer to a repeated request. */
export function createSigningSecret(idempotencyKey: string): Promise<{ readonly secret: string | null }> {
  return post('/api/payment-settings/signing-secret', {}, idempotencyKey)
}
