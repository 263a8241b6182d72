import type { CurrencyAmount } from '../../core/currency.ts'
import type { ListPlace } from '../../core/list-place.ts'
import type { NanoUsd } from '../../core/money.ts'

/**
 * Balance or a plan that an account buys from outside. What it grants and what it costs are fixed when it is made. Times are
 * epoch milliseconds.
 */
export interface Order {
  readonly id: string
  readonly accountId: string
  /** Who takes the money: `stripe`, `epay`, or the name of a shop of the admins. */
  readonly provider: string
  /** What it is called there, once for each provider; null: the provider does not know it yet. */
  readonly providerOrder: string | null
  readonly grants: OrderGrant
  readonly price: CurrencyAmount
  readonly state: OrderState
  /** Why one is `held`; null: it is not. */
  readonly trouble: OrderTrouble | null
  /** What the provider calls the payment; for refunds. */
  readonly payment: string | null
  /** Where it can be paid while it is open, and where its invoice is. */
  readonly checkoutUrl: string | null
  readonly invoiceUrl: string | null
  /** What was refunded of the price, in its currency. */
  readonly refundedNano: bigint
  /** What was taken back of the balance that was granted. Less than was due where it was spent already. */
  readonly takenBack: NanoUsd
  readonly subscriptionId: string | null
  readonly createdAt: number
  readonly paidAt: number | null
}

export type OrderGrant =
  | { readonly kind: 'balance'; readonly amount: NanoUsd }
  | { readonly kind: 'plan'; readonly planId: string; readonly planName: string }

/** `held`: money came, and could not be credited. `cancelled`: it was not paid in time. A payment that comes later counts. */
export type OrderState = 'open' | 'paid' | 'cancelled' | 'held'
export type OrderTrouble = 'amount_differs' | 'balance_too_large' | 'account_gone'

/**
 * `asked`: the balance is taken back, and the provider has not confirmed it. `failed`: all of it was given back. `held`: the
 * provider paid back more than was left of the order, or in another currency; nothing was taken back, and an admin hears of it.
 */
export interface OrderRefund {
  readonly id: string
  readonly orderId: string
  readonly providerRefund: string | null
  readonly amountNano: bigint
  readonly taken: NanoUsd
  readonly state: 'asked' | 'done' | 'failed' | 'held'
  readonly reason: string
  readonly actor: string
  readonly createdAt: number
}

export type NewOrder = Pick<Order, 'id' | 'accountId' | 'provider' | 'providerOrder' | 'grants' | 'price' | 'createdAt'>

/** How many orders an account may have that it did not pay, of those that were created since. */
export interface UnpaidBound {
  readonly sinceMs: number
  readonly most: number
}

/** What a provider says of a payment. The ids are those that what is granted will have. */
export interface Payment {
  readonly orderId: string
  /** null: an amount that cannot be read, which is not what the order costs. */
  readonly received: CurrencyAmount | null
  readonly payment: string | null
  readonly invoiceUrl: string | null
  readonly nowMs: number
  readonly entryId: string
  readonly subscriptionId: string
  readonly actor: string
}

/** What a provider says of a refund. `entryId`: of the entry that takes the balance back, or gives it again. */
export interface RefundNotice {
  readonly id: string
  readonly orderId: string
  readonly providerRefund: string
  /** null: an amount that cannot be read, so that the refund is held. */
  readonly amount: CurrencyAmount | null
  readonly isDone: boolean
  readonly nowMs: number
  readonly entryId: string
  readonly actor: string
}

/** A refund that begins here: refused where the balance does not hold what was granted. */
export interface RefundRequest {
  readonly id: string
  readonly orderId: string
  readonly amount: CurrencyAmount
  readonly reason: string
  readonly nowMs: number
  readonly entryId: string
  readonly actor: string
}

export type CreateAnswer =
  /** `existing`: the provider’s order was made before, from whatever was asked then. */
  | { readonly kind: 'created' | 'existing'; readonly order: Order }
  | { readonly kind: 'plan_gone' | 'unknown_account' | 'too_many_unpaid' }

/** `seq`: of the change that gateways follow before they spend what was granted; null: nothing was. */
export type PayAnswer =
  /** `heldRefunds`: of those that came before the payment. */
  | {
      readonly kind: 'paid'
      readonly order: Order
      readonly heldRefunds: readonly OrderRefund[]
      readonly seq: number
    }
  | { readonly kind: 'already_paid' | 'held'; readonly order: Order }
  | { readonly kind: 'unknown_order' }

export type RefundAnswer =
  | {
      readonly kind: 'refunded' | 'given_back'
      readonly order: Order
      readonly refund: OrderRefund
      readonly seq: number
    }
  /** Noted before, or it comes before the payment, with which it is taken back. */
  | { readonly kind: 'noted'; readonly order: Order; readonly refund: OrderRefund }
  /** `isNew`: it was not noted before. */
  | { readonly kind: 'held'; readonly order: Order; readonly refund: OrderRefund; readonly isNew: boolean }
  | { readonly kind: 'unknown_order' | 'not_paid' | 'differs' }
  | { readonly kind: 'insufficient'; readonly available: NanoUsd }

/** `refund` null: the order itself is held. */
export interface TroubledOrder {
  readonly order: Order
  readonly refund: OrderRefund | null
}

export interface OrderFilter {
  /** null: of all accounts. */
  readonly accountId: string | null
  readonly state?: OrderState | undefined
  readonly provider?: string | undefined
}

export interface OrderStore {
  /**
   * One provider’s order is one order here, however often it is created. A plan is kept with it as it is sold now. Of orders that
   * are created at once, each counts for the bound of the next.
   */
  create(order: NewOrder, bound?: UnpaidBound): Promise<CreateAnswer>
  /** What the provider calls the order, and where it is paid. */
  attach(id: string, made: { readonly providerOrder: string; readonly checkoutUrl: string | null }): Promise<void>
  find(id: string): Promise<Order | null>
  findByProvider(provider: string, providerOrder: string): Promise<Order | null>
  findByPayment(provider: string, payment: string): Promise<Order | null>
  /** Newest first; behind a place where one is given. */
  list(filter: OrderFilter, limit: number, after?: ListPlace | null): Promise<readonly Order[]>
  /** Grants what the order is for, in one transaction with marking it paid, once. What differs from its price is held. */
  pay(payment: Payment): Promise<PayAnswer>
  /** Makes an order that is not paid `cancelled`. */
  cancel(id: string): Promise<void>
  /** Takes back what was granted as far as it is there, once for each refund of the provider; or gives it again. */
  noteRefund(notice: RefundNotice): Promise<RefundAnswer>
  /** Takes back what was granted before the provider is asked to pay. */
  askRefund(request: RefundRequest): Promise<RefundAnswer>
  /** The provider took the refund that was asked for; or refused it (`providerRefund` null): what was taken is given back. */
  endRefund(end: {
    readonly id: string
    readonly isDone: boolean
    readonly providerRefund: string | null
    readonly nowMs: number
    readonly entryId: string
    readonly actor: string
  }): Promise<RefundAnswer>
  /** What money came or went for without the books following, since then, newest first: held orders, and held refunds with theirs. */
  troubles(sinceMs: number, limit: number): Promise<readonly TroubledOrder[]>
  findRefund(id: string): Promise<OrderRefund | null>
  /** The refunds of one order, oldest first. */
  refunds(orderId: string): Promise<readonly OrderRefund[]>
}
