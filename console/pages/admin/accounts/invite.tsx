import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { inviteMany, inviteOne, type InvitationTerms, type MadeInvitations } from '../../../api/accounts.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { plansQuery } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextAreaField } from '../../../forms/text-field.tsx'
import { amountAboveZero, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ROLES } from '../roles.ts'
import { creditInAll, invitedLines, MOST_CREDIT, MOST_INVITED } from './invited-lines.ts'
import { Invited } from './invited.tsx'

const DAYS = { least: 1, most: 90 } as const
const HOURS = 24

/** Invites people, many at once, and shows their links: they live in this component's state alone. */
export default function Invite({ onClose }: { onClose(): void }): ReactNode {
  const queries = useQueryClient()
  const [made, setMade] = useState<MadeInvitations | null>(null)
  if (made !== null) return <Invited made={made} onClose={onClose} />
  return (
    <InviteForm
      onMade={(answer) => {
        setMade(answer)
        void queries.invalidateQueries({ queryKey: ['accounts'] })
      }}
      onClose={onClose}
    />
  )
}

const EMPTY = {
  emails: '',
  credit: '',
  plan: '',
  role: 'user' as AccountView['role'],
  groups: [] as readonly string[],
  days: '7',
}

function InviteForm(props: { onMade(made: MadeInvitations): void; onClose(): void }): ReactNode {
  const t = useTexts('accounts').inviting
  const guarded = useGuarded()
  const mayCredit = useMay('books')
  const form = useForm({
    initial: EMPTY,
    keptAs: 'invitations',
    fields: ['emails', 'credit', 'plan', 'role', 'open_groups', 'expires_in_hours'],
    check: ({ emails: text, credit, days }) => {
      const { emails, wrong } = invitedLines(text)
      const isOver = creditInAll(credit, emails.length) === 'too_much'
      return {
        ...(wrong.length > 0 ? { emails: t.wrongLines(wrong) } : {}),
        ...(emails.length > MOST_INVITED ? { emails: t.tooMany(MOST_INVITED, emails.length) } : {}),
        ...(isEmptyOr(amountAboveZero, credit) ? {} : { credit: t.creditForm }),
        ...(isOver ? { credit: t.creditTooMuch(MOST_CREDIT) } : {}),
        ...(countOf(days, DAYS) === null ? { expires_in_hours: t.daysForm } : {}),
      }
    },
    send: (values, { key }) => {
      const { emails } = invitedLines(values.emails)
      const terms = termsOf(values)
      return guarded(() => (emails.length === 0 ? inviteOne(terms, key) : inviteMany({ ...terms, emails }, key)))
    },
    onDone: props.onMade,
  })
  const { values } = form
  const { emails } = invitedLines(values.emails)
  return (
    <FormDrawer
      form={form}
      title={t.title}
      description={t.lead}
      action={t.action(Math.max(emails.length, 1))}
      onClose={props.onClose}
    >
      <TextAreaField
        {...form.text('emails', t.emails)}
        hint={t.emailsHint(MOST_INVITED)}
        isOptional
        rows={4}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        placeholder={'ada@example.com\ngrace@example.com'}
      />
      {mayCredit && (
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField of="amount" {...form.text('credit', t.credit)} isOptional />
          <PlanChoice {...form.choice('plan', t.plan)} />
        </div>
      )}
      <Disclosure title={t.more} summary={t.moreSummary}>
        <div className="grid gap-4">
          <RoleAndDays form={form} />
          <GroupChoice values={values.groups} onValues={(groups) => form.change({ groups })} />
        </div>
      </Disclosure>
      <Summary text={values.emails} credit={values.credit} />
    </FormDrawer>
  )
}

function termsOf({ credit, plan, role, groups, days }: typeof EMPTY): InvitationTerms {
  return {
    role,
    credit: amountAboveZero(credit),
    plan: plan === '' ? null : plan,
    open_groups: groups,
    expires_in_hours: (countOf(days, DAYS) ?? DAYS.least) * HOURS,
  }
}

function RoleAndDays({ form }: { readonly form: ReturnType<typeof useForm<typeof EMPTY, unknown>> }): ReactNode {
  const t = useTexts('accounts')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        {...form.choice('role', t.inviting.role)}
        hint={t.roleHints[form.values.role]}
        options={ROLES.map((value) => ({ value, label: t.roles[value] }))}
      />
      <NumberField
        of="count"
        {...form.text('days', t.inviting.days)}
        name="expires_in_hours"
        error={form.errorOf('expires_in_hours')}
      />
    </div>
  )
}

/** Nothing where no plan is sold or given here. */
function PlanChoice(props: Omit<Parameters<typeof SelectField<string>>[0], 'options'>): ReactNode {
  const t = useTexts('accounts').inviting
  const plans = useQuery(plansQuery).data?.data ?? []
  if (plans.length === 0) return null
  const options = plans.map(({ id, name }) => ({ value: id, label: name }))
  return <SelectField {...props} options={[{ value: '', label: t.noPlan }, ...options]} />
}

/** Nothing where every group is open to all. */
function GroupChoice(props: { readonly values: readonly string[]; onValues(ids: readonly string[]): void }): ReactNode {
  const t = useTexts('accounts').inviting
  const groups = useQuery(groupsQuery).data?.data ?? []
  const closed = groups.filter(({ open }) => !open)
  if (closed.length === 0) return null
  return (
    <Field name="open_groups" label={t.groups} hint={t.groupsHint} isOptional>
      {(control) => (
        <MultiCombobox
          {...control}
          options={closed.map(({ id, name }) => ({ value: id, label: name }))}
          values={props.values}
          onValues={props.onValues}
        />
      )}
    </Field>
  )
}

/** How many people, and what they get in all, before anything is sent. */
function Summary(props: { readonly text: string; readonly credit: string }): ReactNode {
  const t = useTexts('accounts').inviting
  const format = useFormat()
  const { emails, repeated } = invitedLines(props.text)
  const total = creditInAll(props.credit, emails.length)
  const amount = total === null || total === 'too_much' ? null : format.exactMoney(total)
  return (
    <p role="status" className="text-ink-2">
      {emails.length === 0 ? t.oneLink(amount) : t.sum(emails.length, amount)}
      {repeated > 0 && <span className="block text-sm text-ink-3">{t.repeated(repeated)}</span>}
    </p>
  )
}
