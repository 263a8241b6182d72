import { inSentence } from './settings-en.ts'

export const texts = {
  title: 'Payments',
  lead: 'Let accounts top up and buy plans on their Billing page.',
  nothing: 'Hidden from accounts until at least one provider is fully set up and turned on.',
  edit: (name: string) => `Edit ${inSentence(name)}`,
  saved: 'Payments saved',
  rate: (price: string) => `$1 costs ${price}`,
  bounds: (smallest: string, largest: string) => `Other amounts from ${smallest} to ${largest}`,
  parts: {
    stripe: { name: 'Stripe', does: 'Cards and other payment methods, through Stripe Checkout.' },
    epay: { name: 'Epay', does: 'Payment gateways with submit.php that sign notifications with MD5.' },
    amounts: { name: 'Amounts', does: 'The top-up amounts on offer, in USD.' },
    shop: { name: 'Your own shop', does: 'Your own program takes the payment and sends signed orders.' },
  },
  states: { none: 'Not set up', off: 'Off', unfinished: 'Key missing', test: 'Test mode', on: 'On' },
  form: {
    isOn: 'Let accounts pay this way',
    onHint: 'Takes effect once all keys are set.',
    secretKey: 'Secret key',
    webhookSecret: 'Webhook secret',
    keyHint: 'Encrypted, and never shown again.',
    keyKept: 'Already set. Leave empty to keep it.',
    webhookUrl: 'Webhook URL',
    webhookHint:
      'In Stripe, add this URL as an endpoint for the events below. Stripe then shows you the webhook secret.',
    testKey: 'This is a test mode key: purchases are credited, but no money moves.',
    currency: 'Currency',
    currencyHint: 'Three letters, such as eur.',
    perUsd: 'Price of $1',
    perUsdHint: 'In this currency, such as 0.95.',
    perUsdForm: 'Enter what one dollar costs, such as 0.95 or 7.2.',
    amountsForm: 'Enter amounts with spaces between them, such as 5 12.50 100.',
    invoices: 'Invoice each payment',
    invoicesHint: 'Stripe charges a fee for invoices. Each order links to its invoice.',
    url: 'Payment gateway URL',
    urlHint:
      'The URL of its submit.php, without the file name. If you change it, enter the key again: a key is only used with its own gateway.',
    pid: 'Merchant ID (pid)',
    epayKey: 'Key',
    ways: 'Payment methods',
    amounts: 'Amounts on offer',
    amountsHint: 'Up to 12, separated by spaces. Leave empty to let payers enter any amount.',
    smallest: 'Smallest amount',
    largest: 'Largest amount',
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText:
      'Its keys are deleted. Orders are kept, but payments in progress won’t be credited, because they can no longer be verified.',
  },
  shop: {
    createText: 'Your shop needs a secret to sign each order with. It’s shown once.',
    replaceText: 'The current secret stops working immediately. Give your shop the new one right away.',
    create: 'Create secret',
    replace: 'Replace secret',
    secret: 'Signing secret',
    once: 'Copy it now. It won’t be shown again.',
    lost: 'The secret was created, but the connection dropped before it arrived, and it’s sent only once. Create another one.',
  },
}

export type PaymentSettingsTexts = typeof texts
