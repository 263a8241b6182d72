import type { ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { ProviderFoot, RateFields, SealedField } from './provider-fields.tsx'
import { usePaymentForm } from './use-payment-form.ts'

const WAYS = ['alipay', 'wxpay', 'qqpay', 'bank', 'usdt'] as const

/** An epay gateway: where it is, its merchant and key, and the ways to pay that it has. */
export function EpayForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings')
  const names = useTexts('payments').topUp.ways
  const { settings, onClose } = props
  const { epay } = settings
  const form = usePaymentForm({
    settings,
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
    messages: t.form,
    change: (values) => ({
      epay: {
        on: values.isOn,
        url: values['epay.url'].trim(),
        pid: values['epay.pid'].trim(),
        ways: [...values['epay.ways']],
        currency: values['epay.currency'].trim(),
        per_usd: factorOf(values['epay.per_usd']) ?? '',
        ...(values['epay.key'].trim() === '' ? {} : { key: values['epay.key'].trim() }),
      },
    }),
    onClose,
  })
  const removal = usePaymentForm({ settings, initial: {}, change: () => ({ epay: null }), onClose })
  const ways = form.values['epay.ways']
  const waysError = form.errorOf('epay.ways')
  return (
    <Form
      submission={form}
      foot={
        <ProviderFoot
          submission={form}
          removal={epay === null ? null : removal}
          name={t.parts.epay.name}
          onCancel={onClose}
        />
      }
    >
      <Checkbox checked={form.values.isOn} onChecked={(isOn) => form.change({ isOn })} hint={t.form.onHint}>
        {t.form.isOn}
      </Checkbox>
      <TextField {...form.text('epay.url', t.form.url)} hint={t.form.urlHint} type="url" maxLength={500} />
      <TextField {...form.text('epay.pid', t.form.pid)} maxLength={64} />
      <SealedField {...form.text('epay.key', t.form.epayKey)} isSet={epay?.has_key ?? false} />
      <fieldset className="min-w-0">
        <legend className="font-medium">{t.form.ways}</legend>
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
      <RateFields
        currency={form.text('epay.currency', t.form.currency)}
        perUsd={form.text('epay.per_usd', t.form.perUsd)}
      />
      {removal.general !== null && <ErrorState error={removal.general} />}
    </Form>
  )
}
