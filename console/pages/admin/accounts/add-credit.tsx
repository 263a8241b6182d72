import type { ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { creditAccount } from '../../../api/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero } from '../../../forms/typed-numbers.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

const REFERENCE = /^[\w.-]{0,60}$/

/** Adds to a balance, with a reason that its owner reads. */
export default function AddCredit(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').credit
  const format = useFormat()
  const guarded = useGuarded()
  const { account, onClose } = props
  const form = useForm({
    initial: { amount: '', reason: '', reference: '' },
    validate: ({ amount, reason, reference }) => ({
      amount: amountAboveZero(amount) === null && 'amountForm',
      reason: reason.trim() === '' && 'required',
      reference: !REFERENCE.test(reference.trim()) && 'referenceForm',
    }),
    messages: t,
    send: ({ amount, reason, reference }, { key }) =>
      guarded(() =>
        creditAccount(
          account.id,
          { amount: amountAboveZero(amount) ?? '', reason: reason.trim(), reference: reference.trim() },
          key,
        ),
      ),
    done: (entry) => t.done(format.money(entry.balance_after)),
    refreshes: ['accounts', 'attention', 'me', 'ledger'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(account.email)} action={t.action} onClose={onClose}>
      <NumberField of="amount" {...form.text('amount', t.amount)} autoFocus />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={400} />
      <TextField {...form.text('reference', t.reference)} hint={t.referenceHint} isOptional maxLength={60} />
    </FormDialog>
  )
}
