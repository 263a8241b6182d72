import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { amountOf } from '../../../../forms/typed-numbers.ts'
import { amountsIn } from './typed-amounts.ts'
import { usePaymentEdit } from './use-payment-edit.ts'

/** What the billing page offers for topping up, and the bounds of other amounts. */
export function AmountsForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings').form
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const [amounts, setAmounts] = useState(settings.amounts.join(' '))
  const [smallest, setSmallest] = useState(settings.smallest)
  const [largest, setLargest] = useState(settings.largest)
  const offered = amountsIn(amounts)
  const submission = usePaymentEdit({
    fields: ['amounts', 'smallest', 'largest'],
    settings,
    check: () => ({
      ...(offered === null ? { amounts: t.amountsForm } : {}),
      ...(amountOf(smallest) === null ? { smallest: shared.amountForm } : {}),
      ...(amountOf(largest) === null ? { largest: shared.amountForm } : {}),
    }),
    change: () => ({
      amounts: [...(offered ?? [])],
      smallest: amountOf(smallest) ?? '',
      largest: amountOf(largest) ?? '',
    }),
    onClose,
  })
  return (
    <Form
      submission={submission}
      foot={<CancelOrSubmit submission={submission} action={shared.save} onCancel={onClose} />}
    >
      <TextField
        name="amounts"
        label={t.amounts}
        hint={t.amountsHint}
        value={amounts}
        onValue={setAmounts}
        error={submission.errorOf('amounts')}
        maxLength={300}
        autoFocus
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField
          of="amount"
          name="smallest"
          label={t.smallest}
          value={smallest}
          onValue={setSmallest}
          error={submission.errorOf('smallest')}
        />
        <NumberField
          of="amount"
          name="largest"
          label={t.largest}
          value={largest}
          onValue={setLargest}
          error={submission.errorOf('largest')}
        />
      </div>
    </Form>
  )
}
