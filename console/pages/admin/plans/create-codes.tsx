import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { createCodes, type NewCodes } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { SavedFoot, useLeaveQuestion } from '../../../forms/leave-question.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero, countOf } from '../../../forms/typed-numbers.ts'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useForm } from '../../../forms/use-form.ts'

/** What was created: one code a line; `codes` null: they were lost on the way. */
interface Made {
  readonly count: number
  readonly codes: string | null
}

/** Creates codes and shows them, once: they live in this component's state, and are gone with it. */
export default function CreateCodes(props: { readonly plans: readonly PlanView[]; onClose(): void }): ReactNode {
  const t = useTexts('plans').codes
  const queries = useQueryClient()
  const [made, setMade] = useState<Made | null>(null)
  const [isKept, setKept] = useState(false)
  const secret = useOneTimeSecret()
  const isSafeToLeave = made === null || made.codes === null || isKept
  const { leave, question } = useLeaveQuestion({ isSafeToLeave, texts: t, onClose: () => props.onClose() })
  return (
    <>
      <Dialog
        isOpen
        onClose={leave}
        title={made === null ? t.new : t.shownTitle(made.count)}
        {...(made === null
          ? {}
          : {
              foot: (
                <SavedFoot
                  saved={made.codes === null ? null : { label: t.kept, isSaved: isKept, onSaved: setKept }}
                  done={t.done}
                  onDone={leave}
                />
              ),
            })}
      >
        {made === null ? (
          <CodesForm
            plans={props.plans}
            onCancel={props.onClose}
            send={async (codes, key) => {
              const answer = await createCodes(codes, key)
              secret.keep({ secret: answer.codes === null ? null : answer.codes.join('\n') })
              return answer.data.length
            }}
            onDone={(count) => {
              setMade({ count, codes: secret.take() })
              void queries.invalidateQueries({ queryKey: ['plans', 'codes'] })
            }}
          />
        ) : made.codes === null ? (
          <Notice tone="bad" isLive>
            {t.lost}
          </Notice>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <Notice tone="warn" isLive>
              {t.once}
            </Notice>
            <CodeBlock title={t.list} text={made.codes} onCopied={() => setKept(true)} />
          </div>
        )}
      </Dialog>
      {question}
    </>
  )
}

const COUNT = { least: 1, most: 1000 } as const

/** What codes grant, how many there are and until when they are usable. */
function CodesForm(props: {
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
  return (
    <Form submission={form} foot={<CancelOrSubmit submission={form} action={t.new} onCancel={props.onCancel} />}>
      <RadioCards
        {...form.choice('kind', t.kind)}
        options={[
          { value: 'balance', label: t.kindBalance },
          { value: 'plan', label: t.kindPlan },
        ]}
      />
      {form.values.kind === 'balance' ? (
        <NumberField of="amount" {...form.text('amount', t.amount)} />
      ) : plans.length === 0 ? (
        <Notice tone="warn">{t.noPlan}</Notice>
      ) : (
        <SelectField
          {...form.choice('plan', t.choosePlan)}
          options={plans.map(({ name }) => ({ value: name, label: name }))}
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
