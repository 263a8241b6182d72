import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PlanView, RedeemCodeView } from '../../../../src/contract/billing.ts'
import { createCodes, type NewCodes } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { SavedFoot, useLeaveQuestion } from '../../../forms/leave-question.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountAboveZero, countOf } from '../../../forms/typed-numbers.ts'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { csvOf } from '../../../format/csv.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { saveText } from '../../../ui/save-text.ts'
import { useForm } from '../../../forms/use-form.ts'

/** What was created; `codes` null: they were lost on the way. */
interface Made {
  readonly codes: readonly string[] | null
  readonly views: readonly RedeemCodeView[]
}

/** Creates codes and shows them, once: they live in this component's state, and are gone with it. */
export default function CreateCodes(props: { readonly plans: readonly PlanView[]; onClose(): void }): ReactNode {
  const queries = useQueryClient()
  const [made, setMade] = useState<Made | null>(null)
  const secret = useOneTimeSecret()
  if (made !== null) return <NewCodesShown made={made} onClose={props.onClose} />
  return (
    <CodesForm
      plans={props.plans}
      onClose={props.onClose}
      send={async (codes, key) => {
        const answer = await createCodes(codes, key)
        secret.keep({ secret: answer.codes === null ? null : answer.codes.join('\n') })
        return answer.data
      }}
      onDone={(views) => {
        setMade({ views, codes: secret.take()?.split('\n') ?? null })
        void queries.invalidateQueries({ queryKey: ['plans', 'codes'] })
      }}
    />
  )
}

function NewCodesShown({ made, onClose }: { readonly made: Made; onClose(): void }): ReactNode {
  const t = useTexts('plans').codes
  const [isKept, setKept] = useState(false)
  const { codes, views } = made
  const { leave, question } = useLeaveQuestion({ isSafeToLeave: codes === null || isKept, texts: t, onClose })
  return (
    <>
      <Dialog
        isOpen
        onClose={leave}
        title={t.shownTitle(views.length)}
        foot={
          <SavedFoot
            saved={codes === null ? null : { label: t.kept, isSaved: isKept, onSaved: setKept }}
            done={t.done}
            onDone={leave}
          />
        }
      >
        {codes === null ? (
          <Notice tone="bad" isLive>
            {t.lost}
          </Notice>
        ) : (
          <CodesToKeep codes={codes} views={views} onKept={() => setKept(true)} />
        )}
      </Dialog>
      {question}
    </>
  )
}

const FILE = 'redeem-codes.csv'

/** The codes, to be copied or saved as a file with what each is worth. */
function CodesToKeep(props: Pick<Made, 'views'> & { readonly codes: readonly string[]; onKept(): void }): ReactNode {
  const t = useTexts('plans').codes
  const { codes, views, onKept } = props
  const save = (): void => {
    const { code, value, expires, note } = t.fileColumns
    const rows = codes.map((each, index) => {
      const view = views[index]
      return [each, view?.amount ?? view?.plan ?? '', view?.expires_at ?? '', view?.note ?? '']
    })
    saveText(FILE, csvOf([[code, value, expires, note], ...rows]))
    onKept()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-ink-2">
          {t.once}
        </p>
        <Button icon="download" onClick={save}>
          {t.csv}
        </Button>
      </div>
      <CodeBlock title={t.list} text={codes.join('\n')} onCopied={onKept} />
    </div>
  )
}

const COUNT = { least: 1, most: 1000 } as const

/** What codes grant, how many there are and until when they are usable. */
function CodesForm(props: {
  readonly plans: readonly PlanView[]
  onClose(): void
  send(codes: NewCodes, idempotencyKey: string): Promise<readonly RedeemCodeView[]>
  onDone(views: readonly RedeemCodeView[]): void
}): ReactNode {
  const t = useTexts('plans').codes
  const { plans } = props
  const form = useForm({
    keptAs: 'codes',
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
    <FormDrawer form={form} title={t.new} action={t.new} onClose={props.onClose}>
      <RadioCards
        {...form.choice('kind', t.kind)}
        options={[
          { value: 'balance', label: t.kindBalance },
          { value: 'plan', label: t.kindPlan },
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
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
        <NumberField of="count" {...form.text('count', t.count)} />
      </div>
      <Disclosure title={t.more} isOpenAtFirst={form.errorOf('expires_at') !== undefined}>
        <div className="grid gap-4">
          <TextField {...form.text('expires_at', t.until)} type="date" isOptional />
          <TextField {...form.text('note', t.noteLabel)} hint={t.noteHint} isOptional maxLength={200} />
        </div>
      </Disclosure>
    </FormDrawer>
  )
}

/** The last moment of a day of the reader's, as a date field writes it. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59.999`)
}
