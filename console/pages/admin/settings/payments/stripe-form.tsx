import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { ProviderFoot, RateFields, SealedField } from './provider-fields.tsx'
import { usePaymentEdit } from './use-payment-edit.ts'

/** As `src/payments/stripe-client.ts` reads them. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
]

/** Stripe Checkout: its keys, what it charges, and where it sends events. */
export function StripeForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings')
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const { stripe } = settings
  const [isOn, setOn] = useState(stripe?.on ?? true)
  const [currency, setCurrency] = useState(stripe?.currency ?? 'usd')
  const [perUsd, setPerUsd] = useState(stripe?.per_usd ?? '1')
  const [invoices, setInvoices] = useState(stripe?.invoices ?? false)
  const [secretKey, setSecretKey] = useState('')
  const [webhookSecret, setWebhookSecret] = useState('')
  const submission = usePaymentEdit({
    fields: ['stripe.currency', 'stripe.per_usd', 'stripe.secret_key', 'stripe.webhook_secret'],
    settings,
    check: () => ({
      ...(currency.trim() === '' ? { 'stripe.currency': shared.required } : {}),
      ...(factorOf(perUsd) === null ? { 'stripe.per_usd': t.form.perUsdForm } : {}),
    }),
    change: () => ({
      stripe: {
        on: isOn,
        currency: currency.trim(),
        per_usd: factorOf(perUsd) ?? '',
        invoices,
        ...(secretKey.trim() === '' ? {} : { secret_key: secretKey.trim() }),
        ...(webhookSecret.trim() === '' ? {} : { webhook_secret: webhookSecret.trim() }),
      },
    }),
    onClose,
  })
  const removal = usePaymentEdit({ fields: [], settings, change: () => ({ stripe: null }), onClose })
  const address = stripe?.webhook_url ?? `${window.location.origin}/api/payments/stripe`
  return (
    <Form
      submission={submission}
      foot={
        <ProviderFoot
          submission={submission}
          removal={stripe === null ? null : removal}
          name={t.parts.stripe.name}
          onCancel={onClose}
        />
      }
    >
      {stripe?.is_test === true && <Notice tone="warn">{t.form.testKey}</Notice>}
      <Checkbox checked={isOn} onChecked={setOn} hint={t.form.onHint}>
        {t.form.isOn}
      </Checkbox>
      <SealedField
        name="stripe.secret_key"
        label={t.form.secretKey}
        isSet={stripe?.has_secret_key ?? false}
        value={secretKey}
        onValue={setSecretKey}
        error={submission.errorOf('stripe.secret_key')}
      />
      <CopyField label={t.form.webhookUrl} value={address} hint={t.form.webhookHint} />
      <p className="font-mono text-xs [overflow-wrap:anywhere] text-ink-2">{EVENTS.join(' ')}</p>
      <SealedField
        name="stripe.webhook_secret"
        label={t.form.webhookSecret}
        isSet={stripe?.has_webhook_secret ?? false}
        value={webhookSecret}
        onValue={setWebhookSecret}
        error={submission.errorOf('stripe.webhook_secret')}
      />
      <RateFields
        provider="stripe"
        currency={currency}
        perUsd={perUsd}
        onCurrency={setCurrency}
        onPerUsd={setPerUsd}
        errorOf={submission.errorOf}
      />
      <Checkbox checked={invoices} onChecked={setInvoices} hint={t.form.invoicesHint}>
        {t.form.invoices}
      </Checkbox>
      {removal.general !== null && <ErrorState error={removal.general} />}
    </Form>
  )
}
