import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SubscriptionView } from '../../../../../src/contract/billing.ts'
import { extendSubscription } from '../../../../api/plan-admin.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { countOf } from '../../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../../forms/use-submission.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useToast } from '../../../../ui/toasts.tsx'

const DAYS = { least: 1, most: 36_500 } as const

/** Lets a subscription run for some days more, without a charge and with a reason for the audit. */
export default function ExtendSubscription(props: {
  readonly subscription: SubscriptionView
  onClose(): void
}): ReactNode {
  const texts = useTexts('plans').subscriptions
  const t = texts.extending
  const shared = useSharedTexts()
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const { subscription, onClose } = props
  const [wish, setWish] = useState({ days: '', reason: '' })
  const days = countOf(wish.days, DAYS)
  const submission = useSubmission({
    fields: ['days', 'reason'],
    check: (): FieldErrors => ({
      ...(days === null ? { days: t.daysForm } : {}),
      ...(wish.reason.trim() === '' ? { reason: shared.required } : {}),
    }),
    send: (key) => extendSubscription(subscription.id, { days: days ?? 0, reason: wish.reason.trim() }, key),
    onDone: ({ ends_at: endsAt }) => {
      for (const name of ['accounts', 'plans', 'subscriptions']) void queries.invalidateQueries({ queryKey: [name] })
      toast({ text: t.done(format.time(endsAt)) })
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
    <Dialog isOpen size="small" title={t.title(subscription.plan)} description={t.lead} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={texts.extend} onCancel={onClose} />}
      >
        <NumberField of="count" {...field('days')} label={t.days} autoFocus />
        <TextField {...field('reason')} label={t.reason} hint={t.reasonHint} maxLength={400} />
      </Form>
    </Dialog>
  )
}
