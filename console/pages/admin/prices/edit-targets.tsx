import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { changeModel } from '../../../api/catalogue-changes.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { hasOwnPrices, newTarget, targetOf, type TargetForm, toTargetForm, validateTarget } from './target-form.ts'

/** Where the requests of a model go: which upstream first, for whom, and what it costs there. */
export default function EditTargets(props: { readonly model: ModelView; onClose(): void }): ReactNode {
  const t = useTexts('prices').targets
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const form = useForm({
    initial: (): { readonly targets: readonly TargetForm[] } => ({ targets: (model.targets ?? []).map(toTargetForm) }),
    fields: ({ targets }) => [
      'targets',
      ...targets.flatMap((target, at) => Object.keys(target).map((field) => `targets.${at}.${field}`)),
    ],
    validate: ({ targets }) =>
      Object.fromEntries(
        targets.flatMap((target, at) =>
          Object.entries(validateTarget(target)).map(([field, problem]) => [`targets.${at}.${field}`, problem]),
        ),
      ),
    messages: t.objections,
    send: ({ targets }, { version }) =>
      changeModel(model.id, { targets: targets.map(targetOf) }, version ?? model.version),
    done: () => t.saved(model.name),
    refreshes: ['models', 'upstreams', 'groups', 'attention'],
    onClose: props.onClose,
  })
  const { targets } = form.values
  const set = (at: number, part: Partial<TargetForm>): void =>
    form.change({ targets: targets.map((target, index) => (index === at ? { ...target, ...part } : target)) })
  return (
    <FormDrawer form={form} title={t.editTitle(model.name)} description={t.editLead} onClose={props.onClose}>
      {targets.map((target, at) => (
        <TargetFields
          key={at}
          number={at + 1}
          target={target}
          upstreams={upstreams.map(({ name }) => name)}
          onChange={(part) => set(at, part)}
          onRemove={() => form.change({ targets: targets.filter((_, index) => index !== at) })}
          errorOf={(field) => form.errorOf(`targets.${at}.${field}`)}
        />
      ))}
      {form.errorOf('targets') !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {form.errorOf('targets')}
        </p>
      )}
      <div>
        <Button
          icon="plus"
          onClick={() => {
            const target = newTarget(upstreams[0]?.name ?? '', targets[0]?.model ?? model.name)
            form.change({ targets: [...targets, target] })
          }}
        >
          {t.add}
        </Button>
      </div>
    </FormDrawer>
  )
}

function TargetFields(props: {
  readonly number: number
  readonly target: TargetForm
  readonly upstreams: readonly string[]
  onChange(part: Partial<TargetForm>): void
  onRemove(): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const t = useTexts('prices').targets
  const { data: groups } = useQuery(groupsQuery)
  const { number, target, onChange, errorOf } = props
  const field = (
    name: 'model' | 'priority' | 'weight' | 'factor' | 'min_margin' | 'spend_per_day' | 'fields_like',
  ) => ({
    name,
    label: t.fields[name],
    value: target[name],
    onValue: (value: string) => onChange({ [name]: value }),
    error: errorOf(name),
  })
  const names = props.upstreams.includes(target.upstream) ? props.upstreams : [target.upstream, ...props.upstreams]
  return (
    <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3 first:border-t-0 first:pt-0">
      <legend className="font-medium">{t.target(number)}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          name="upstream"
          label={t.fields.upstream}
          error={errorOf('upstream')}
          value={target.upstream}
          onValue={(upstream) => onChange({ upstream })}
          options={names.map((name) => ({ value: name, label: name }))}
        />
        <TextField {...field('model')} spellCheck={false} maxLength={200} />
        <NumberField of="count" {...field('priority')} hint={t.fields.priorityHint} />
        <NumberField of="count" {...field('weight')} hint={t.fields.weightHint} />
      </div>
      <Field name="groups" label={t.fields.groups} hint={t.fields.groupsHint} error={errorOf('groups')}>
        {(control) => (
          <MultiCombobox
            {...control}
            placeholder={t.all}
            options={(groups?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
            values={target.groups}
            onValues={(chosen) => onChange({ groups: chosen })}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-3">
        {hasOwnPrices(target) ? (
          <p className="text-sm text-ink-2">{t.keepsPrices}</p>
        ) : (
          <NumberField of="factor" {...field('factor')} hint={t.fields.factorHint} isOptional />
        )}
        <NumberField of="factor" {...field('min_margin')} hint={t.fields.marginHint} isOptional />
        <NumberField of="amount" {...field('spend_per_day')} isOptional />
      </div>
      <TextField
        {...field('fields_like')}
        hint={t.fields.fieldsLikeHint}
        spellCheck={false}
        maxLength={200}
        isOptional
      />
      <div>
        <Button look="quiet" icon="trash" onClick={props.onRemove}>
          {t.remove(number)}
        </Button>
      </div>
    </fieldset>
  )
}
