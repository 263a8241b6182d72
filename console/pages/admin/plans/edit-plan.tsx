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
import { Notice } from '../../../ui/notice.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { changeOf, settingsOf, toForm, validate, WINDOWS } from './plan-form.ts'

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
  const { values, change } = form
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
            values={values.groups}
            onValues={(chosen) => change({ groups: chosen })}
          />
        )}
      </Field>
      <Checkbox
        checked={values.opensGroups}
        onChecked={(opensGroups) => change({ opensGroups })}
        hint={t.form.opensGroupsHint}
      >
        {t.form.opensGroups}
      </Checkbox>
      <fieldset className="grid min-w-0 gap-3">
        <legend className="font-medium">{t.form.windows}</legend>
        <p className="text-sm text-ink-3">{t.form.windowsLead}</p>
        <div className="grid gap-3 sm:grid-cols-3">
          {WINDOWS.map((window) => (
            <NumberField
              of="amount"
              key={window}
              name={window}
              label={t.windows[window]}
              value={values.quotas[window]}
              onValue={(usd) => change({ quotas: { ...values.quotas, [window]: usd } })}
              error={form.errorOf(window)}
            />
          ))}
        </div>
      </fieldset>
      {plan !== null && running > 0 && <Notice>{t.form.sold(running, format.number(running))}</Notice>}
    </FormDrawer>
  )
}
