import { plural } from './plural.ts'

export const texts = {
  topUp: {
    title: 'Top up',
    lead: 'Pay on the provider’s page. Your balance is updated as soon as the payment arrives.',
    amount: 'Amount in USD',
    hint: (smallest: string, largest: string, rate: string) => `From ${smallest} to ${largest}. $1 costs ${rate}.`,
    take: (amount: string) => `Top up ${amount}`,
    pay: 'Continue to payment',
    elsewhere: (host: string) => `Pay another way, on ${host}`,
    test: 'Test mode: your purchase is credited, but no money moves.',
    provider: 'Pay with',
    providers: { stripe: 'Card and more (Stripe)', epay: 'Payment gateway' },
    ways: { alipay: 'Alipay', wxpay: 'WeChat Pay', qqpay: 'QQ Pay', bank: 'Bank card', usdt: 'USDT' },
  },
  plans: {
    title: 'Plans',
    lead: (rate: string) =>
      `A plan pays for requests in its groups before your balance does, from the moment your payment arrives. $1 costs ${rate}.`,
    days: (count: number) => plural(count, { one: '1 day', other: `${count.toLocaleString('en')} days` }),
    groups: 'Groups',
    unlimited: 'Unlimited in its groups',
    opensNone: 'Pays in groups you can already use, and doesn’t give access to others.',
    active: 'Active',
    again: 'You have this plan. Buying it again starts a second subscription right away.',
    buy: 'Buy',
    buyOf: (name: string, price: string) => `Buy ${name} for ${price}`,
  },
  orders: {
    title: 'Orders',
    lead: 'Your purchases, newest first.',
    leadOfAll: 'Purchases of all accounts, newest first.',
    of: (what: string, price: string, provider: string) => `${what} for ${price} · ${provider}`,
    balance: (amount: string) => `${amount} credit`,
    plan: (name: string) => `Plan ${name}`,
    states: {
      open: 'Not paid',
      paid: 'Paid',
      cancelled: 'Cancelled',
      held: 'Held',
      partly_refunded: 'Partly refunded',
      refunded: 'Refunded',
    },
    troubles: {
      amount_differs: 'The amount or currency paid differs from the order, so nothing was credited.',
      balance_too_large: 'The balance would exceed its maximum, so nothing was credited.',
      account_gone: 'The account no longer exists, so nothing was credited.',
    },
    pay: 'Pay',
    invoice: 'Invoice',
    more: 'Show more orders',
  },
  refund: {
    action: 'Refund',
    title: 'Refund order',
    lead: 'The refunded share is deducted from the balance first. A plan ends when its full price is refunded.',
    outside: 'This only records the refund. Return the money through the original payment provider.',
    amount: (currency: string) => `Amount in ${currency}`,
    amountForm: 'Enter an amount above 0, such as 12.50, or leave it empty.',
    hint: 'Leave empty to refund the rest.',
    reason: 'Reason',
    done: 'Refunded',
  },
}

export type PaymentsTexts = typeof texts
