import type { OrderView, PaymentOffer, PaymentSettingsPatch, PaymentSettingsView } from '../../src/contract/payments.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, patch, post, read, readPages } from './request.ts'

const AT_A_TIME = 20

/** What can be bought, and how it can be paid; no provider: nothing. */
export const paymentOfferQuery = read<PaymentOffer>(['payments'], '/api/payments')

/** Newest first; of the reader's own account, or (for staff) of all. */
export const ordersQuery = (whose: 'own' | 'all') =>
  readPages<Page<OrderView>>(['orders', whose], '/api/orders', {
    limit: AT_A_TIME,
    account_id: whose === 'all' ? '*' : null,
  })

/** Balance or a plan, and how it is paid. */
export type NewOrder = ({ readonly amount: string } | { readonly plan: string }) & {
  readonly provider: PaymentOffer['providers'][number]['name']
  readonly way?: string
}

export const createOrder = (body: NewOrder, idempotencyKey: string) =>
  post<OrderView>('/api/orders', body, idempotencyKey)

export const refundOrder = (
  id: string,
  body: { readonly amount?: string; readonly reason: string },
  idempotencyKey: string,
) => post<OrderView>(apiPath`/api/orders/${id}/refund`, body, idempotencyKey)

/** How payments are taken, with the version that an edit names. Keys are not in it. */
export const paymentSettingsQuery = read<PaymentSettingsView>(['settings', 'payments'], '/api/payment-settings')

/** `version`: of the settings as they were read. */
export const changePaymentSettings = (body: PaymentSettingsPatch, version: string) =>
  patch<PaymentSettingsView>('/api/payment-settings', body, version)

/** What a shop signs its orders with; it replaces the one before. `secret` null: the answer to a repeated request. */
export const createSigningSecret = (idempotencyKey: string) =>
  post<{ readonly secret: string | null }>('/api/payment-settings/signing-secret', {}, idempotencyKey)
