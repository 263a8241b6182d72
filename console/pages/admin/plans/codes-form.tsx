import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import type { NewCodes } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero, countOf } from '../../../forms/typed-numbers.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useForm } from '../../../forms/use-form.ts'

const COUNT = { least: 1, most: 1000 } as const

/** What codes grant, how many there are and until when they are usable. */
export function CodesForm(props: {
  readonly plans: readonly PlanView[]
  onCancel(): void
  send(codes: NewCodes, idempotencyKey: string): Promise<number>
  onDone(count: number): void
}): ReactNode {
  const t = useTexts('plans').codes
  const { plans } = props
  const form = useForm({
    initial: {
      kind: 'balance' as 'balance' | 'plan',
      amount: '',
      plan: plans[0]?.name ?? '',
      count: '10',
      note: '',
      expires_at: '',
    },
    fields: ['amount', 'plan', 'count', 'note', 'expires_at'],
    validate: ({ kind, amount, plan, count, expires_at: day }) => ({
      amount: kind === 'balance' && amountAboveZero(amount) === null && 'amountForm',
      plan: kind === 'plan' && plan === '' && 'noPlan',
      count: countOf(count, COUNT) === null && 'countForm',
      expires_at: day !== '' && !(endOf(day).getTime() > Date.now()) && 'untilForm',
    }),
    messages: t,
    send: ({ kind, amount, plan, count, note, expires_at: day }, { key }) =>
      props.send(
        {
          ...(kind === 'balance' ? { amount: amountAboveZero(amount) ?? '' } : { plan }),
          count: countOf(count, COUNT) ?? 0,
          note: note.trim(),
          expires_at: day === '' ? null : endOf(day).toISOString(),
        },
        key,
      ),
    onDone: props.onDone,
  })
  const { values, change } = form
  return (
    <Form submission={form} foot={<CancelOrSubmit submission={form} action={t.new} onCancel={props.onCancel} />}>
      <RadioCards<'balance' | 'plan'>
        label={t.kind}
        name="kind"
        value={values.kind}
        onValue={(kind) => change({ kind })}
        options={[
          { value: 'balance', label: t.kindBalance },
          { value: 'plan', label: t.kindPlan },
        ]}
      />
      {values.kind === 'balance' ? (
        <NumberField of="amount" {...form.text('amount', t.amount)} />
      ) : plans.length === 0 ? (
        <Notice tone="warn">{t.noPlan}</Notice>
      ) : (
        <SelectField
          name="plan"
          label={t.choosePlan}
          error={form.errorOf('plan')}
          options={plans.map(({ name }) => ({ value: name, label: name }))}
          value={values.plan}
          onValue={(plan) => change({ plan })}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField of="count" {...form.text('count', t.count)} />
        <TextField {...form.text('expires_at', t.until)} type="date" isOptional />
      </div>
      <TextField {...form.text('note', t.noteLabel)} hint={t.noteHint} isOptional maxLength={200} />
    </Form>
  )
}

/** The last moment of a day of the reader's, as a date field writes it. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59.999`)
}
