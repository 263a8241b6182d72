import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LimitsReport } from '../../../../../src/contract/account-limits.ts'
import { changeAccount } from '../../../../api/accounts.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { useSubmission } from '../../../../forms/use-submission.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { RadioCards } from '../../../../ui/radio-cards.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import { useRefresh } from '../../../../forms/use-refresh.ts'
import { useLimitNames } from './limit-names.ts'
import {
  type Below,
  belowUse,
  beyondUse,
  DAYS,
  FIELDS,
  isWindow,
  limitsOf,
  type LimitsForm,
  validate,
  toForm,
} from './limits-form.ts'

/** The limits that are set on an account. One that is below what is used is not saved before it is said what is meant. */
export function EditLimits(props: { readonly account: AccountView; readonly report: LimitsReport }): ReactNode {
  const t = useTexts('oneAccount').limits
  const names = useLimitNames()
  const guarded = useGuarded()
  const read = useRefresh()
  const toast = useToast()
  // As it was when the form was opened.
  const [account] = useState(props.account)
  const [form, setForm] = useState(() => toForm(account.limits))
  const [asked, setAsked] = useState<readonly Below[] | null>(null)
  const [meant, setMeant] = useState<LimitsForm | null>(null)
  const refresh = (): void => read(['accounts'])
  const submission = useSubmission({
    fields: [...FIELDS],
    check: () => Object.fromEntries(Object.entries(validate(form)).map(([field, problem]) => [field, t[problem]])),
    send: async (_key, overwritten) => {
      const below = meant === null ? belowUse(form, props.report) : []
      if (below.length > 0) {
        setAsked(below)
        return null
      }
      return guarded(() =>
        changeAccount(account.id, { limits: limitsOf(meant ?? form) }, overwritten ?? account.version),
      )
    },
    onTheirs: refresh,
    onDone: (saved) => {
      if (saved === null) return
      setAsked(null)
      refresh()
      toast({ text: t.saved })
    },
  })
  return (
    <Section title={t.title} lead={t.lead}>
      <Form
        submission={submission}
        foot={
          <div>
            <Button type="submit" look="primary" isBusy={submission.isSending}>
              {t.save}
            </Button>
          </div>
        }
      >
        <p className="text-sm text-ink-3">{t.hint}</p>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {FIELDS.map((field) => (
            <NumberField
              of={isWindow(field) ? 'amount' : 'count'}
              inputMode="text"
              key={field}
              name={field}
              label={names[field]}
              {...(isWindow(field) ? { hint: t.spendHint } : field === DAYS ? { hint: t.daysHint } : {})}
              value={form[field]}
              onValue={(text) => {
                setMeant(null)
                setForm({ ...form, [field]: text })
              }}
              error={submission.errorOf(field)}
            />
          ))}
        </div>
      </Form>
      {asked !== null && (
        <AskMeaning
          below={asked}
          form={form}
          isBusy={submission.isSending}
          meant={meant}
          onMeant={setMeant}
          onSend={submission.submit}
          onClose={() => {
            setMeant(null)
            setAsked(null)
          }}
        />
      )}
    </Section>
  )
}

function AskMeaning(props: {
  readonly below: readonly Below[]
  readonly form: LimitsForm
  readonly meant: LimitsForm | null
  readonly isBusy: boolean
  onMeant(form: LimitsForm): void
  onSend(): void
  onClose(): void
}): ReactNode {
  const t = useTexts('oneAccount').limits
  const names = useLimitNames()
  const format = useFormat()
  const { below, form, meant } = props
  const more = beyondUse(form, below)
  const windows = below.filter(({ field }) => isWindow(field))
  const raised = format.list(windows.map(({ field }) => `${names[field]} ${format.money(more[field])}`))
  return (
    <Dialog
      isOpen
      size="small"
      title={t.below.title}
      onClose={props.onClose}
      foot={
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{t.below.back}</Button>
          <Button look="primary" disabled={meant === null} isBusy={props.isBusy} onClick={props.onSend}>
            {t.save}
          </Button>
        </div>
      }
    >
      <ul className="mb-4 grid gap-1">
        {below.map(({ field, used, limit }) => (
          <li key={field}>
            {isWindow(field)
              ? t.below.spend(names[field], format.money(used), format.money(limit))
              : t.below.count(names[field], format.number(Number(used)), format.number(Number(limit)))}
          </li>
        ))}
      </ul>
      <RadioCards<'stop' | 'more'>
        name="meant"
        label={t.below.ask}
        columns={1}
        options={[
          { value: 'stop', label: t.below.stop, ...(windows.length === 0 ? {} : { detail: t.below.stopText }) },
          ...(windows.length === 0
            ? []
            : [{ value: 'more' as const, label: t.below.more, detail: t.below.moreText(raised) }]),
        ]}
        value={meant === null ? null : meant === form ? 'stop' : 'more'}
        onValue={(value) => props.onMeant(value === 'stop' ? form : more)}
      />
    </Dialog>
  )
}
