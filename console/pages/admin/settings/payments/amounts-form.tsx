import type { ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { amountOf } from '../../../../forms/typed-numbers.ts'
import { amountsIn } from './typed-amounts.ts'
import { usePaymentForm } from './use-payment-form.ts'

/** What the billing page offers for topping up, and the bounds of other amounts. */
export function AmountsForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings').form
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const form = usePaymentForm({
    settings,
    initial: { amounts: settings.amounts.join(' '), smallest: settings.smallest, largest: settings.largest },
    validate: ({ amounts, smallest, largest }) => ({
      amounts: amountsIn(amounts) === null && 'amountsForm',
      smallest: amountOf(smallest) === null && 'amountForm',
      largest: amountOf(largest) === null && 'amountForm',
    }),
    messages: { amountsForm: t.amountsForm, amountForm: shared.amountForm },
    change: ({ amounts, smallest, largest }) => ({
      amounts: [...(amountsIn(amounts) ?? [])],
      smallest: amountOf(smallest) ?? '',
      largest: amountOf(largest) ?? '',
    }),
    onClose,
  })
  return (
    <Form submission={form} foot={<CancelOrSubmit submission={form} action={shared.save} onCancel={onClose} />}>
      <TextField {...form.text('amounts', t.amounts)} hint={t.amountsHint} maxLength={300} autoFocus />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField of="amount" {...form.text('smallest', t.smallest)} />
        <NumberField of="amount" {...form.text('largest', t.largest)} />
      </div>
    </Form>
  )
}
