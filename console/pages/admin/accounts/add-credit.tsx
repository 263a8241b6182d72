import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { creditAccount } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero } from '../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toasts.tsx'

const REFERENCE = /^[\w.-]{0,60}$/

/** Adds to a balance, with a reason that its owner reads. */
export default function AddCredit(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').credit
  const shared = useSharedTexts()
  const format = useFormat()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const { account, onClose } = props
  const [wish, setWish] = useState({ amount: '', reason: '', reference: '' })
  const amount = amountAboveZero(wish.amount)
  const submission = useSubmission({
    fields: ['amount', 'reason', 'reference'],
    check: (): FieldErrors => ({
      ...(amount === null ? { amount: t.amountForm } : {}),
      ...(wish.reason.trim() === '' ? { reason: shared.required } : {}),
      ...(REFERENCE.test(wish.reference.trim()) ? {} : { reference: t.referenceForm }),
    }),
    send: (key) =>
      guarded(() =>
        creditAccount(
          account.id,
          { amount: amount ?? '', reason: wish.reason.trim(), reference: wish.reference.trim() },
          key,
        ),
      ),
    onDone: (entry) => {
      for (const name of ['accounts', 'attention', 'me', 'ledger']) {
        void queries.invalidateQueries({ queryKey: [name] })
      }
      toast({ text: t.done(format.money(entry.balance_after)) })
      onClose()
    },
  })
  const field = (name: keyof typeof wish) => ({
    name,
    value: wish[name],
    onValue: (value: string) => setWish({ ...wish, [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <Dialog isOpen size="small" title={t.title(account.email)} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={onClose} />}
      >
        <NumberField of="amount" {...field('amount')} label={t.amount} autoFocus />
        <TextField {...field('reason')} label={t.reason} hint={t.reasonHint} maxLength={400} />
        <TextField {...field('reference')} label={t.reference} hint={t.referenceHint} isOptional maxLength={60} />
      </Form>
    </Dialog>
  )
}
