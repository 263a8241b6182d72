import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import type { NewCodes } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero, countOf } from '../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { Select } from '../../../ui/select.tsx'

const COUNT = { least: 1, most: 1000 } as const

/** What codes grant, how many there are and until when they are usable. */
export function CodesForm(props: {
  readonly plans: readonly PlanView[]
  onCancel(): void
  send(wish: NewCodes, idempotencyKey: string): Promise<number>
  onDone(count: number): void
}): ReactNode {
  const t = useTexts('plans').codes
  const { plans } = props
  const [wish, setWish] = useState({
    kind: 'balance' as 'balance' | 'plan',
    amount: '',
    plan: plans[0]?.name ?? '',
    count: '10',
    note: '',
    expires_at: '',
  })
  const amount = amountAboveZero(wish.amount)
  const count = countOf(wish.count, COUNT)
  const endsAt = wish.expires_at === '' ? null : endOf(wish.expires_at)
  const submission = useSubmission({
    fields: ['amount', 'plan', 'count', 'note', 'expires_at'],
    check: (): FieldErrors => ({
      ...(wish.kind === 'balance' && amount === null ? { amount: t.amountForm } : {}),
      ...(wish.kind === 'plan' && wish.plan === '' ? { plan: t.noPlan } : {}),
      ...(count === null ? { count: t.countForm } : {}),
      ...(endsAt !== null && !(endsAt.getTime() > Date.now()) ? { expires_at: t.untilForm } : {}),
    }),
    send: (key) =>
      props.send(
        {
          ...(wish.kind === 'balance' ? { amount: amount ?? '' } : { plan: wish.plan }),
          count: count ?? 0,
          note: wish.note.trim(),
          expires_at: endsAt === null ? null : endsAt.toISOString(),
        },
        key,
      ),
    onDone: props.onDone,
  })
  const field = (name: 'amount' | 'count' | 'note' | 'expires_at') => ({
    name,
    value: wish[name],
    onValue: (value: string) => setWish({ ...wish, [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <Form
      submission={submission}
      foot={<CancelOrSubmit submission={submission} action={t.new} onCancel={props.onCancel} />}
    >
      <RadioCards<'balance' | 'plan'>
        label={t.kind}
        name="kind"
        value={wish.kind}
        onValue={(kind) => setWish({ ...wish, kind })}
        options={[
          { value: 'balance', label: t.kindBalance },
          { value: 'plan', label: t.kindPlan },
        ]}
      />
      {wish.kind === 'balance' ? (
        <NumberField of="amount" {...field('amount')} label={t.amount} />
      ) : plans.length === 0 ? (
        <Notice tone="warn">{t.noPlan}</Notice>
      ) : (
        <Field name="plan" label={t.choosePlan} error={submission.errorOf('plan')}>
          {(control) => (
            <Select
              {...control}
              options={plans.map(({ name }) => ({ value: name, label: name }))}
              value={wish.plan}
              onValue={(plan) => setWish({ ...wish, plan })}
            />
          )}
        </Field>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField of="count" {...field('count')} label={t.count} />
        <TextField {...field('expires_at')} label={t.until} type="date" isOptional />
      </div>
      <TextField {...field('note')} label={t.noteLabel} hint={t.noteHint} isOptional maxLength={200} />
    </Form>
  )
}

/** The last moment of a day of the reader's, as a date field writes it. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59.999`)
}
