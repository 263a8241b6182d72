import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { factorOf } from '../../../../forms/typed-numbers.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { ProviderFoot, RateFields, SealedField } from './provider-fields.tsx'
import { usePaymentEdit } from './use-payment-edit.ts'

const WAYS = ['alipay', 'wxpay', 'qqpay', 'bank', 'usdt'] as const
type Way = (typeof WAYS)[number]

/** An epay gateway: where it is, its merchant and key, and the ways to pay that it has. */
export function EpayForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings')
  const names = useTexts('payments').topUp.ways
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const { epay } = settings
  const [isOn, setOn] = useState(epay?.on ?? true)
  const [url, setUrl] = useState(epay?.url ?? '')
  const [pid, setPid] = useState(epay?.pid ?? '')
  const [key, setKey] = useState('')
  const [ways, setWays] = useState<readonly Way[]>(epay?.ways ?? ['alipay', 'wxpay'])
  const [currency, setCurrency] = useState(epay?.currency ?? 'cny')
  const [perUsd, setPerUsd] = useState(epay?.per_usd ?? '')
  const required = { 'epay.url': url, 'epay.pid': pid, 'epay.currency': currency }
  const submission = usePaymentEdit({
    fields: [...Object.keys(required), 'epay.per_usd', 'epay.key', 'epay.ways'],
    settings,
    check: () => ({
      ...Object.fromEntries(
        Object.entries(required).flatMap(([name, text]) => (text.trim() === '' ? [[name, shared.required]] : [])),
      ),
      ...(factorOf(perUsd) === null ? { 'epay.per_usd': t.form.perUsdForm } : {}),
      ...(ways.length === 0 ? { 'epay.ways': shared.required } : {}),
    }),
    change: () => ({
      epay: {
        on: isOn,
        url: url.trim(),
        pid: pid.trim(),
        ways: [...ways],
        currency: currency.trim(),
        per_usd: factorOf(perUsd) ?? '',
        ...(key.trim() === '' ? {} : { key: key.trim() }),
      },
    }),
    onClose,
  })
  const removal = usePaymentEdit({ fields: [], settings, change: () => ({ epay: null }), onClose })
  const waysError = submission.errorOf('epay.ways')
  return (
    <Form
      submission={submission}
      foot={
        <ProviderFoot
          submission={submission}
          removal={epay === null ? null : removal}
          name={t.parts.epay.name}
          onCancel={onClose}
        />
      }
    >
      <Checkbox checked={isOn} onChecked={setOn} hint={t.form.onHint}>
        {t.form.isOn}
      </Checkbox>
      <TextField
        name="epay.url"
        label={t.form.url}
        hint={t.form.urlHint}
        value={url}
        onValue={setUrl}
        error={submission.errorOf('epay.url')}
        type="url"
        maxLength={500}
      />
      <TextField
        name="epay.pid"
        label={t.form.pid}
        value={pid}
        onValue={setPid}
        error={submission.errorOf('epay.pid')}
        maxLength={64}
      />
      <SealedField
        name="epay.key"
        label={t.form.epayKey}
        isSet={epay?.has_key ?? false}
        value={key}
        onValue={setKey}
        error={submission.errorOf('epay.key')}
      />
      <fieldset className="min-w-0">
        <legend className="font-medium">{t.form.ways}</legend>
        {waysError !== undefined && <p className="text-sm text-bad">{waysError}</p>}
        <div className="flex flex-wrap gap-x-5">
          {WAYS.map((way) => (
            <Checkbox
              key={way}
              checked={ways.includes(way)}
              onChecked={(isChosen) => setWays(WAYS.filter((each) => (each === way ? isChosen : ways.includes(each))))}
            >
              {names[way]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <RateFields
        provider="epay"
        currency={currency}
        perUsd={perUsd}
        onCurrency={setCurrency}
        onPerUsd={setPerUsd}
        errorOf={submission.errorOf}
      />
      {removal.general !== null && <ErrorState error={removal.general} />}
    </Form>
  )
}
