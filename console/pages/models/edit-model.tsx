import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { changeModel } from '../../api/catalogue-changes.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { changeOf, MODEL_COUNTS, MODEL_TIMES, type ModelForm, validate, toForm } from './model-form.ts'

/** How an admin wants a model served. Targets, and prices once there are some, are set by the API and the file. */
export default function EditModel(props: { readonly model: ModelView; onClose(): void }): ReactNode {
  const t = useTexts('modelSettings')
  const { modelKinds } = useTexts('models')
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const form = useForm({
    initial: () => toForm(model),
    validate,
    messages: t,
    send: (values, { version }) => changeModel(model.id, changeOf(model, values), version ?? model.version),
    done: () => t.done(model.name),
    refreshes: ['models', 'attention'],
    onClose: props.onClose,
  })
  const field = (name: Exclude<keyof ModelForm, 'kind' | 'recommended'>) => form.text(name, t[name])
  return (
    <FormDialog form={form} title={t.title(model.name)} description={t.lead} onClose={props.onClose}>
      {model.price === null && (
        <Fields title={t.price} isPair>
          <NumberField of="amount" {...field('input_price')} />
          <NumberField of="amount" {...field('output_price')} />
        </Fields>
      )}
      <SelectField<ModelForm['kind']>
        {...form.field('kind')}
        label={t.kind}
        hint={t.kindHint}
        options={[
          { value: '', label: t.workedOut },
          ...kindsOf(modelKinds).map((kind) => ({ value: kind, label: modelKinds[kind] })),
        ]}
        value={form.values.kind}
        onValue={(kind) => form.change({ kind })}
      />
      <Checkbox
        checked={form.values.recommended}
        onChecked={(recommended) => form.change({ recommended })}
        hint={t.recommendedHint}
      >
        {t.recommended}
      </Checkbox>
      <div className="grid gap-4 sm:grid-cols-2">
        {MODEL_COUNTS.map((name) => (
          <NumberField of="count" key={name} {...field(name)} />
        ))}
      </div>
      <Fields title={t.times}>
        {MODEL_TIMES.map((name) => (
          <NumberField of="count" key={name} {...field(name)} hint={t[HINTS[name]]} />
        ))}
      </Fields>
    </FormDialog>
  )
}

const HINTS = {
  hedge_after_ms: 'hedgeHint',
  first_event_timeout_ms: 'firstEventHint',
  idle_timeout_ms: 'idleHint',
  timeout_ms: 'timeoutHint',
} as const

function Fields(props: { readonly title: string; readonly isPair?: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <fieldset className={classNames('grid gap-4', props.isPair === true && 'sm:grid-cols-2')}>
      <legend className="mb-2 text-sm text-ink-3">{props.title}</legend>
      {props.children}
    </fieldset>
  )
}

function kindsOf(names: Readonly<Record<ModelView['kind'], string>>): readonly ModelView['kind'][] {
  return Object.keys(names) as ModelView['kind'][]
}
