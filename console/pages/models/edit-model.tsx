import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { changeModel } from '../../api/catalogue-changes.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useToast } from '../../ui/toasts.tsx'
import { changeOf, MODEL_COUNTS, MODEL_TIMES, type ModelForm, validate, toForm } from './model-form.ts'

/** How an admin wants a model served. Targets, and prices once there are some, are set by the API and the file. */
export default function EditModel(props: { readonly model: ModelView; onClose(): void }): ReactNode {
  const t = useTexts('modelSettings')
  const { modelKinds } = useTexts('models')
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const [form, setForm] = useState(() => toForm(model))
  const change = (part: Partial<ModelForm>): void => setForm({ ...form, ...part })
  const submission = useSubmission({
    fields: Object.keys(form),
    check: () => Object.fromEntries(Object.entries(validate(form)).map(([field, problem]) => [field, t[problem]])),
    send: (_key, overwritten) => changeModel(model.id, changeOf(model, form), overwritten ?? model.version),
    onTheirs: () => {
      void queries.invalidateQueries({ queryKey: ['models'] })
      props.onClose()
    },
    onDone: () => {
      for (const name of ['models', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
      toast({ text: t.done(model.name) })
      props.onClose()
    },
  })
  const field = (name: Exclude<keyof ModelForm, 'kind' | 'recommended'>) => ({
    name,
    label: t[name],
    value: form[name],
    onValue: (value: string) => change({ [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <FormDialog form={submission} title={t.title(model.name)} description={t.lead} onClose={props.onClose}>
      {model.price === null && (
        <Fields title={t.price} isPair>
          <NumberField of="amount" {...field('input_price')} />
          <NumberField of="amount" {...field('output_price')} />
        </Fields>
      )}
      <SelectField<ModelForm['kind']>
        {...submission.field('kind')}
        label={t.kind}
        hint={t.kindHint}
        options={[
          { value: '', label: t.workedOut },
          ...kindsOf(modelKinds).map((kind) => ({ value: kind, label: modelKinds[kind] })),
        ]}
        value={form.kind}
        onValue={(kind) => change({ kind })}
      />
      <Checkbox
        checked={form.recommended}
        onChecked={(recommended) => change({ recommended })}
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
