import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { changePlan, createPlan } from '../../../api/plan-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { changeOf, objectionsTo, type PlanWish, settingsOf, WINDOWS, wishOf } from './plan-wish.ts'

/** A plan that is new or edited; its limits of accounts stay as they are. */
export default function PlanForm(props: {
  readonly plan: PlanView | null
  readonly running: number
  onClose(): void
}): ReactNode {
  const t = useTexts('plans')
  const shared = useSharedTexts()
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const { running, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [plan] = useState(props.plan)
  const [wish, setWish] = useState(() => wishOf(plan))
  const change = (part: Partial<PlanWish>): void => setWish({ ...wish, ...part })
  const { data: groups } = useQuery(groupsQuery)
  const submission = useSubmission({
    fields: ['name', 'price', 'days', 'groups', ...WINDOWS],
    check: () =>
      Object.fromEntries(
        Object.entries(objectionsTo(wish)).map(([field, objection]) => [
          field,
          objection === 'required' ? shared.required : t.form[objection],
        ]),
      ),
    send: (key, overwritten) =>
      plan === null
        ? createPlan(settingsOf(wish), key)
        : changePlan(plan.id, changeOf(plan, wish), overwritten ?? plan.version),
    onTheirs: () => {
      void queries.invalidateQueries({ queryKey: ['plans'] })
      onClose()
    },
    onDone: ({ name }) => {
      void queries.invalidateQueries({ queryKey: ['plans'] })
      toast({ text: plan === null ? t.created(name) : t.saved(name) })
      onClose()
    },
  })
  if (plan?.managed === true) {
    return (
      <Drawer isOpen title={plan.name} onClose={onClose}>
        <Notice>{t.managed}</Notice>
      </Drawer>
    )
  }
  const field = (name: 'name' | 'price' | 'days') => ({
    name,
    label: t.form[name],
    value: wish[name],
    onValue: (value: string) => change({ [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <Drawer isOpen title={plan === null ? t.new : t.form.editTitle(plan.name)} onClose={onClose}>
      <Form
        submission={submission}
        foot={
          <CancelOrSubmit
            submission={submission}
            action={plan === null ? t.form.create : shared.save}
            onCancel={onClose}
          />
        }
      >
        <TextField {...field('name')} maxLength={100} autoFocus />
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField of="amount" {...field('price')} hint={t.form.priceHint} />
          <NumberField of="count" {...field('days')} />
        </div>
        <Field name="groups" label={t.form.groups} error={submission.errorOf('groups')}>
          {(control) => (
            <MultiCombobox
              {...control}
              placeholder={t.form.pick}
              options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
              values={wish.groups}
              onValues={(chosen) => change({ groups: chosen })}
            />
          )}
        </Field>
        <Checkbox
          checked={wish.opensGroups}
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
                value={wish.quotas[window]}
                onValue={(usd) => change({ quotas: { ...wish.quotas, [window]: usd } })}
                error={submission.errorOf(window)}
              />
            ))}
          </div>
        </fieldset>
        {plan !== null && running > 0 && <Notice>{t.form.sold(running, format.number(running))}</Notice>}
      </Form>
    </Drawer>
  )
}
