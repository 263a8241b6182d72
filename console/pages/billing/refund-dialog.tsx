import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { OrderView } from '../../../src/contract/payments.ts'
import { refundOrder } from '../../api/payments.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../forms/cancel-or-submit.tsx'
import { Form } from '../../forms/form.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { isEmptyOr, sumAboveZero } from '../../forms/typed-numbers.ts'
import { useSubmission } from '../../forms/use-submission.ts'
import { useFormat } from '../../format/use-format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { purchaseOf } from './purchase-of.ts'

/** Refunds an order, in part or whole. */
export default function RefundDialog(props: { readonly order: OrderView; onClose(): void }): ReactNode {
  const texts = useTexts('payments')
  const t = texts.refund
  const format = useFormat()
  const shared = useSharedTexts()
  const toast = useToast()
  const queries = useQueryClient()
  const { order, onClose } = props
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const currency = order.price.currency.toUpperCase()
  const back = sumAboveZero(amount)
  const submission = useSubmission({
    fields: ['amount', 'reason'],
    check: () => ({
      ...(isEmptyOr(sumAboveZero, amount) ? {} : { amount: t.amountForm }),
      ...(reason.trim() === '' ? { reason: shared.required } : {}),
    }),
    send: (key) => refundOrder(order.id, { reason: reason.trim(), ...(back === null ? {} : { amount: back }) }, key),
    onDone: () => {
      for (const name of ['orders', 'accounts', 'plans']) void queries.invalidateQueries({ queryKey: [name] })
      toast({ tone: 'good', text: t.done })
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.title}
      description={[purchaseOf(order, texts.orders, format), order.account_email]
        .filter((part) => part !== null)
        .join(' · ')}
    >
      <div className="grid gap-4">
        <p>{t.lead}</p>
        {order.provider !== 'stripe' && <p>{t.outside}</p>}
        <Form
          submission={submission}
          label={t.title}
          foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={onClose} />}
        >
          <NumberField
            of="sum"
            {...submission.field('amount')}
            label={t.amount(currency)}
            hint={t.hint}
            value={amount}
            onValue={setAmount}
            isOptional
          />
          <TextField
            {...submission.field('reason')}
            label={t.reason}
            value={reason}
            onValue={setReason}
            maxLength={200}
          />
        </Form>
      </div>
    </Dialog>
  )
}
