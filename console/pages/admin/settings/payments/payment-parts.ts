/** What is edited of payments, as the address names it. */
export const PAYMENT_PARTS = ['stripe', 'epay', 'amounts', 'shop'] as const
export type PaymentPart = (typeof PAYMENT_PARTS)[number]
