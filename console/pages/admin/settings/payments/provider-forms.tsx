import { siteAddress } from '../../../../site.ts'
import { useState, type ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { FormState, QuestionProps } from '../../../../forms/use-form.ts'
import { type PaymentFormProps, usePaymentForm } from './use-payment-form.ts'

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
export function StripeForm(props: PaymentFormProps): ReactNode {
  const t = useTexts('paymentSettings').form
  const { stripe } = props.settings
  const form = usePaymentForm({
    ...props,
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
    messages: t,
    change: (values) => ({
      stripe: {
        on: values.isOn,
        currency: values['stripe.currency'].trim(),
        per_usd: factorOf(values['stripe.per_usd']) ?? '',
        invoices: values.invoices,
        ...entered('secret_key', values['stripe.secret_key']),
        ...entered('webhook_secret', values['stripe.webhook_secret']),
      },
    }),
  })
  const address = stripe?.webhook_url ?? `${siteAddress()}/api/payments/stripe`
  return (
    <ProviderForm
      {...props}
      of="stripe"
      form={form}
      note={stripe?.is_test === true && <Notice tone="warn">{t.testKey}</Notice>}
      currency={form.text('stripe.currency', t.currency)}
      perUsd={form.text('stripe.per_usd', t.perUsd)}
      more={
        <Checkbox
          checked={form.values.invoices}
          onChecked={(invoices) => form.change({ invoices })}
          hint={t.invoicesHint}
        >
          {t.invoices}
        </Checkbox>
      }
    >
      <SealedField {...form.text('stripe.secret_key', t.secretKey)} isSet={stripe?.has_secret_key} />
      <CopyField label={t.webhookUrl} value={address} hint={t.webhookHint} />
      <p className="font-mono text-xs [overflow-wrap:anywhere] text-ink-2">{EVENTS.join(' ')}</p>
      <SealedField {...form.text('stripe.webhook_secret', t.webhookSecret)} isSet={stripe?.has_webhook_secret} />
    </ProviderForm>
  )
}

const WAYS = ['alipay', 'wxpay', 'qqpay', 'bank', 'usdt'] as const

/** An epay gateway: where it is, its merchant and key, and the ways to pay that it has. */
export function EpayForm(props: PaymentFormProps): ReactNode {
  const t = useTexts('paymentSettings').form
  const names = useTexts('payments').topUp.ways
  const { epay } = props.settings
  const form = usePaymentForm({
    ...props,
    initial: {
      isOn: epay?.on ?? true,
      'epay.url': epay?.url ?? '',
      'epay.pid': epay?.pid ?? '',
      'epay.key': '',
      'epay.ways': epay?.ways ?? ['alipay', 'wxpay'],
      'epay.currency': epay?.currency ?? 'cny',
      'epay.per_usd': epay?.per_usd ?? '',
    },
    validate: (values) => ({
      'epay.url': values['epay.url'].trim() === '' && 'required',
      'epay.pid': values['epay.pid'].trim() === '' && 'required',
      'epay.currency': values['epay.currency'].trim() === '' && 'required',
      'epay.per_usd': factorOf(values['epay.per_usd']) === null && 'perUsdForm',
      'epay.ways': values['epay.ways'].length === 0 && 'required',
    }),
    messages: t,
    change: (values) => ({
      epay: {
        on: values.isOn,
        url: values['epay.url'].trim(),
        pid: values['epay.pid'].trim(),
        ways: [...values['epay.ways']],
        currency: values['epay.currency'].trim(),
        per_usd: factorOf(values['epay.per_usd']) ?? '',
        ...entered('key', values['epay.key']),
      },
    }),
  })
  const ways = form.values['epay.ways']
  const waysError = form.errorOf('epay.ways')
  return (
    <ProviderForm
      {...props}
      of="epay"
      form={form}
      currency={form.text('epay.currency', t.currency)}
      perUsd={form.text('epay.per_usd', t.perUsd)}
    >
      <TextField {...form.text('epay.url', t.url)} hint={t.urlHint} type="url" maxLength={500} />
      <TextField {...form.text('epay.pid', t.pid)} maxLength={64} />
      <SealedField {...form.text('epay.key', t.epayKey)} isSet={epay?.has_key} />
      <fieldset className="min-w-0">
        <legend className="font-medium">{t.ways}</legend>
        {waysError !== undefined && <p className="text-sm text-bad">{waysError}</p>}
        <div className="flex flex-wrap gap-x-5">
          {WAYS.map((way) => (
            <Checkbox
              key={way}
              checked={ways.includes(way)}
              onChecked={(isChosen) =>
                form.change({ 'epay.ways': WAYS.filter((each) => (each === way ? isChosen : ways.includes(each))) })
              }
            >
              {names[way]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
    </ProviderForm>
  )
}

/** What the forms of both have: whether it is on, what it charges in, and the removal of the provider with its keys. */
function ProviderForm(
  props: PaymentFormProps & {
    readonly of: 'stripe' | 'epay'
    readonly form: FormState<{ readonly isOn: boolean }>
    readonly currency: QuestionProps<string>
    readonly perUsd: QuestionProps<string>
    readonly note?: ReactNode
    readonly more?: ReactNode
    readonly children: ReactNode
  },
): ReactNode {
  const texts = useTexts('paymentSettings')
  const t = texts.form
  const shared = useSharedTexts()
  const { of, form, settings, onClose } = props
  const [isAsking, setAsking] = useState(false)
  const removal = usePaymentForm({ settings, onClose, initial: {}, change: () => ({ [of]: null }) })
  return (
    <Form
      submission={form}
      foot={
        <div className="flex flex-wrap justify-end gap-2">
          {settings[of] !== null && (
            <Button look="quiet" className="mr-auto" onClick={() => setAsking(true)}>
              {t.remove}
            </Button>
          )}
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {shared.save}
          </Button>
        </div>
      }
    >
      {props.note}
      <Checkbox checked={form.values.isOn} onChecked={(isOn) => form.change({ isOn })} hint={t.onHint}>
        {t.isOn}
      </Checkbox>
      {props.children}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...props.currency} hint={t.currencyHint} maxLength={3} autoCapitalize="none" />
        <NumberField of="factor" {...props.perUsd} hint={t.perUsdHint} />
      </div>
      {props.more}
      {removal.general !== null && <ErrorState error={removal.general} />}
      <ConfirmDialog
        isOpen={isAsking}
        title={t.removeTitle(texts.parts[of].name)}
        action={t.remove}
        isDangerous
        isBusy={removal.isSending}
        onConfirm={() => {
          setAsking(false)
          removal.submit()
        }}
        onClose={() => setAsking(false)}
      >
        {t.removeText}
      </ConfirmDialog>
    </Form>
  )
}

/** A key that is stored sealed: empty keeps the one that is there. */
function SealedField({
  isSet = false,
  ...field
}: QuestionProps<string> & { readonly isSet: boolean | undefined }): ReactNode {
  const t = useTexts('paymentSettings').form
  const hint = isSet ? t.keyKept : t.keyHint
  return <TextField {...field} hint={hint} type="password" isSecret autoComplete="off" maxLength={500} />
}

/** The key as it is sent; nothing where none was entered. */
function entered<Name extends string>(name: Name, typed: string): { readonly [Each in Name]?: string } {
  const key = typed.trim()
  return key === '' ? {} : ({ [name]: key } as { readonly [Each in Name]: string })
}
