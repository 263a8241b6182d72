import type { ReactNode } from 'react'
import type { OrderView } from '../../../src/contract/payments.ts'
import { refundOrder } from '../../api/payments.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { isEmptyOr, sumAboveZero } from '../../forms/typed-numbers.ts'
import { useForm } from '../../forms/use-form.ts'
import { useFormat } from '../../format/use-format.ts'
import { purchaseOf } from './purchase-of.ts'

/** Refunds an order, in part or whole. */
export default function RefundDialog(props: { readonly order: OrderView; onClose(): void }): ReactNode {
  const texts = useTexts('payments')
  const t = texts.refund
  const format = useFormat()
  const { order, onClose } = props
  const form = useForm({
    initial: { amount: '', reason: '' },
    validate: ({ amount, reason }) => ({
      amount: !isEmptyOr(sumAboveZero, amount) && 'amountForm',
      reason: reason.trim() === '' && 'required',
    }),
    messages: t,
    send: ({ amount, reason }, { key }) => {
      const back = sumAboveZero(amount)
      return refundOrder(order.id, { reason: reason.trim(), ...(back === null ? {} : { amount: back }) }, key)
    },
    done: () => t.done,
    refreshes: ['orders', 'accounts', 'plans'],
    onClose,
  })
  return (
    <FormDialog
      form={form}
      action={t.action}
      onClose={onClose}
      title={t.title}
      description={[purchaseOf(order, texts.orders, format), order.account_email]
        .filter((part) => part !== null)
        .join(' · ')}
    >
      <p>{t.lead}</p>
      {order.provider !== 'stripe' && <p>{t.outside}</p>}
      <NumberField
        of="sum"
        {...form.text('amount', t.amount(order.price.currency.toUpperCase()))}
        hint={t.hint}
        isOptional
      />
      <TextField {...form.text('reason', t.reason)} maxLength={200} />
    </FormDialog>
  )
}
