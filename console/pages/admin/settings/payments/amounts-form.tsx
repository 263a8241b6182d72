import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { paymentSettingsDictionary } from '../../../../dictionaries/payment-settings.ts'
import { useSharedTexts } from '../../../../dictionaries/shared.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { usePaymentEdit } from './use-payment-edit.ts'

/** What the billing page offers for topping up, and the bounds of other amounts. */
export function AmountsForm(props: { readonly settings: PaymentSettingsView; onClose(): void }): ReactNode {
  const t = paymentSettingsDictionary.useTexts().form
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const [amounts, setAmounts] = useState(settings.amounts.join(' '))
  const [smallest, setSmallest] = useState(settings.smallest)
  const [largest, setLargest] = useState(settings.largest)
  const submission = usePaymentEdit({
    fields: ['amounts', 'smallest', 'largest'],
    settings,
    check: () => ({
      ...(smallest.trim() === '' ? { smallest: shared.required } : {}),
      ...(largest.trim() === '' ? { largest: shared.required } : {}),
    }),
    change: () => ({ amounts: amountsIn(amounts), smallest: smallest.trim(), largest: largest.trim() }),
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
        <TextField
          name="smallest"
          label={t.smallest}
          value={smallest}
          onValue={setSmallest}
          error={submission.errorOf('smallest')}
          inputMode="decimal"
          maxLength={20}
        />
        <TextField
          name="largest"
          label={t.largest}
          value={largest}
          onValue={setLargest}
          error={submission.errorOf('largest')}
          inputMode="decimal"
          maxLength={20}
        />
      </div>
    </Form>
  )
}

/** Amounts as people list them. */
function amountsIn(text: string): string[] {
  return text.split(/[\s,;，、；$]+/).filter((part) => part !== '')
}
