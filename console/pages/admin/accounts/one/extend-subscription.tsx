import type { ReactNode } from 'react'
import type { SubscriptionView } from '../../../../../src/contract/billing.ts'
import { extendSubscription } from '../../../../api/plan-admin.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { countOf } from '../../../../forms/typed-numbers.ts'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { useForm } from '../../../../forms/use-form.ts'

const DAYS = { least: 1, most: 36_500 } as const

/** Lets a subscription run for some days more, without a charge and with a reason for the audit. */
export default function ExtendSubscription(props: {
  readonly subscription: SubscriptionView
  onClose(): void
}): ReactNode {
  const texts = useTexts('plans').subscriptions
  const t = texts.extending
  const format = useFormat()
  const { subscription, onClose } = props
  const form = useForm({
    initial: { days: '', reason: '' },
    validate: ({ days, reason }) => ({
      days: countOf(days, DAYS) === null && 'daysForm',
      reason: reason.trim() === '' && 'required',
    }),
    messages: t,
    send: ({ days, reason }, { key }) =>
      extendSubscription(subscription.id, { days: countOf(days, DAYS) ?? 0, reason: reason.trim() }, key),
    done: ({ ends_at: endsAt }) => t.done(format.time(endsAt)),
    refreshes: ['accounts', 'plans', 'subscriptions'],
    onClose,
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.title(subscription.plan)}
      description={t.lead}
      action={texts.extend}
      onClose={onClose}
    >
      <NumberField of="count" {...form.text('days', t.days)} autoFocus />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={400} />
    </FormDialog>
  )
}
