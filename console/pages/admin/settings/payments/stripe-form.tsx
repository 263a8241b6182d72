import type { ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { ProviderFoot, RateFields, SealedField } from './provider-fields.tsx'
import { usePaymentForm } from './use-payment-form.ts'
import { siteAddress } from '../../../../site.ts'

/** The events that `src/payments/stripe-client.ts` reads. */
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
  const { settings, onClose } = props
  const { stripe } = settings
  const form = usePaymentForm({
    settings,
    initial: {
      isOn: stripe?.on ?? true,
      'stripe.currency': stripe?.currency ?? 'usd',
      'stripe.per_usd': stripe?.per_usd ?? '1',
      invoices: stripe?.invoices ?? false,
      'stripe.secret_key': '',
      'stripe.webhook_secret': '',
    },
    validate: (values) => ({
      'stripe.currency': values['stripe.currency'].trim() === '' && 'required',
      'stripe.per_usd': factorOf(values['stripe.per_usd']) === null && 'perUsdForm',
    }),
    messages: t.form,
    change: (values) => {
      const [secretKey, webhookSecret] = [values['stripe.secret_key'].trim(), values['stripe.webhook_secret'].trim()]
      return {
        stripe: {
          on: values.isOn,
          currency: values['stripe.currency'].trim(),
          per_usd: factorOf(values['stripe.per_usd']) ?? '',
          invoices: values.invoices,
          ...(secretKey === '' ? {} : { secret_key: secretKey }),
          ...(webhookSecret === '' ? {} : { webhook_secret: webhookSecret }),
        },
      }
    },
    onClose,
  })
  const removal = usePaymentForm({ settings, initial: {}, change: () => ({ stripe: null }), onClose })
  const address = stripe?.webhook_url ?? `${siteAddress()}/api/payments/stripe`
  return (
    <Form
      submission={form}
      foot={
        <ProviderFoot
          submission={form}
          removal={stripe === null ? null : removal}
          name={t.parts.stripe.name}
          onCancel={onClose}
        />
      }
    >
      {stripe?.is_test === true && <Notice tone="warn">{t.form.testKey}</Notice>}
      <Checkbox checked={form.values.isOn} onChecked={(isOn) => form.change({ isOn })} hint={t.form.onHint}>
        {t.form.isOn}
      </Checkbox>
      <SealedField {...form.text('stripe.secret_key', t.form.secretKey)} isSet={stripe?.has_secret_key ?? false} />
      <CopyField label={t.form.webhookUrl} value={address} hint={t.form.webhookHint} />
      <p className="font-mono text-xs [overflow-wrap:anywhere] text-ink-2">{EVENTS.join(' ')}</p>
      <SealedField
        {...form.text('stripe.webhook_secret', t.form.webhookSecret)}
        isSet={stripe?.has_webhook_secret ?? false}
      />
      <RateFields
        currency={form.text('stripe.currency', t.form.currency)}
        perUsd={form.text('stripe.per_usd', t.form.perUsd)}
      />
      <Checkbox
        checked={form.values.invoices}
        onChecked={(invoices) => form.change({ invoices })}
        hint={t.form.invoicesHint}
      >
        {t.form.invoices}
      </Checkbox>
      {removal.general !== null && <ErrorState error={removal.general} />}
    </Form>
  )
}
