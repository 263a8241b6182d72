import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { changePlan, createPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { changeOf, type PlanForm, type PlanWindow, settingsOf, toForm, validate, WINDOWS } from './plan-form.ts'

/** A plan that is new or edited; its limits of accounts stay as they are. */
export default function EditPlan(props: {
  readonly plan: PlanView | null
  readonly running: number
  onClose(): void
}): ReactNode {
  const t = useTexts('plans')
  const format = useFormat()
  const { running, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [plan] = useState(props.plan)
  const { data: groups } = useQuery(groupsQuery)
  const form = useForm({
    initial: () => toForm(plan),
    keptAs: `plan ${plan?.id} ${plan?.version}`,
    fields: ['name', 'price', 'days', 'groups', ...WINDOWS],
    validate,
    messages: t.form,
    send: (values, { key, version }) =>
      plan === null
        ? createPlan(settingsOf(values), key)
        : changePlan(plan.id, changeOf(plan, values), version ?? plan.version),
    done: ({ name }) => (plan === null ? t.created(name) : t.saved(name)),
    refreshes: ['plans'],
    onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={plan === null ? t.new : t.form.editTitle(plan.name)}
      action={plan === null ? t.form.create : undefined}
      onClose={onClose}
    >
      <TextField {...form.text('name', t.form.name)} maxLength={100} autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField of="amount" {...form.text('price', t.form.price)} hint={t.form.priceHint} />
        <NumberField of="count" {...form.text('days', t.form.days)} />
      </div>
      <Field name="groups" label={t.form.groups} error={form.errorOf('groups')}>
        {(control) => (
          <MultiCombobox
            {...control}
            placeholder={t.form.pick}
            options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
            values={form.values.groups}
            onValues={(chosen) => form.change({ groups: chosen })}
          />
        )}
      </Field>
      <PlanAllowance form={form} />
      {plan !== null && running > 0 && <Notice>{t.form.sold(running, format.number(running))}</Notice>}
    </FormDrawer>
  )
}

/** The periods that most plans have; the others are folded away. */
const USUAL = ['7d', '30d'] as const satisfies readonly PlanWindow[]
const OTHERS = WINDOWS.filter((window) => !USUAL.some((usual) => usual === window))

/** What a plan pays at most in each period, and what it gives access to. */
function PlanAllowance({ form }: { readonly form: FormState<PlanForm> }): ReactNode {
  const t = useTexts('plans').form
  const { values, change } = form
  const [isUnusual] = useState(!values.opensGroups || OTHERS.some((window) => values.quotas[window] !== ''))
  return (
    <>
      <fieldset className="grid min-w-0 gap-2">
        <legend className="font-medium">{t.windows}</legend>
        <p className="text-sm text-ink-3">{t.windowsLead}</p>
        <Windows form={form} windows={USUAL} />
      </fieldset>
      <Disclosure
        title={t.more}
        isOpenAtFirst={isUnusual || OTHERS.some((window) => form.errorOf(window) !== undefined)}
      >
        <div className="grid gap-4">
          <Windows form={form} windows={OTHERS} />
          <Checkbox
            checked={values.opensGroups}
            onChecked={(opensGroups) => change({ opensGroups })}
            hint={t.opensGroupsHint}
          >
            {t.opensGroups}
          </Checkbox>
        </div>
      </Disclosure>
    </>
  )
}

function Windows(props: { readonly form: FormState<PlanForm>; readonly windows: readonly PlanWindow[] }): ReactNode {
  const t = useTexts('plans').windows
  const { values, change, errorOf } = props.form
  return (
    <div className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {props.windows.map((window) => (
        <NumberField
          of="amount"
          key={window}
          name={window}
          label={t[window]}
          value={values.quotas[window]}
          onValue={(usd) => change({ quotas: { ...values.quotas, [window]: usd } })}
          error={errorOf(window)}
        />
      ))}
    </div>
  )
}
