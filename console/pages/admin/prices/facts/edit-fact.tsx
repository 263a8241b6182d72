import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { changeModel } from '../../../../api/catalogue-changes.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Field, type FieldControl } from '../../../../forms/field.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberInput, useNumberProblem } from '../../../../forms/number-field.tsx'
import { useSubmission } from '../../../../forms/use-submission.ts'
import { UNLIMITED } from '../../../../format/unlimited.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { MultiCombobox } from '../../../../ui/combobox.tsx'
import { Select } from '../../../../ui/select.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import {
  type Column,
  type FactOfTarget,
  type FactValue,
  formOf,
  numberOf,
  ruleChange,
  ruledAt,
  type Scope,
} from './rule-change.ts'
import { useFactTexts } from './use-fact-texts.ts'
import { useSavedModel } from './use-saved-model.ts'

/** Sets another value of a fact, for one target or for the whole model. */
export function EditFact(props: {
  readonly fact: FactOfTarget
  readonly column: Column
  /** The index of the target. */
  readonly at: number
  readonly model: ModelView
  onClose(): void
}): ReactNode {
  const t = useTexts('modelFacts')
  const shared = useSharedTexts()
  const format = useFormat()
  const toast = useToast()
  const saved = useSavedModel()
  const { labelOf } = useFactTexts()
  const objection = useNumberProblem()
  const { fact, column, at, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const [value, setValue] = useState<FactValue>(() =>
    typeof fact.value === 'number' ? String(fact.value) : fact.value,
  )
  const [scope, setScope] = useState<Scope>(ruledAt(fact, at) ?? at)
  const number = column.kind === 'number' ? numberOf(String(value), column) : null
  const close = (): void => {
    saved()
    onClose()
  }
  const submission = useSubmission({
    fields: ['value'],
    check: () => {
      if (typeof number !== 'string') return {}
      return { value: t[number](format.number(column.least ?? 0), format.number(column.most ?? UNLIMITED)) }
    },
    send: (_key, overwritten) => {
      const change = ruleChange(model, { name: fact.name, scope, value: number ?? value })
      return changeModel(model.id, change, overwritten ?? model.version)
    },
    onTheirs: close,
    onDone: () => {
      toast({ text: t.saved(labelOf(fact.name)) })
      close()
    },
  })
  const wrong = objection(submission.errorOf('value'), { of: formOf(column), value: String(value) })
  const hint = column.kind === 'number' && column.most === UNLIMITED ? { hint: t.unlimited(String(UNLIMITED)) } : {}
  return (
    <Form
      submission={submission}
      label={t.changeOf(labelOf(fact.name))}
      className="mt-3 grid gap-3 rounded-md bg-sunken p-3"
      foot={<CancelOrSubmit submission={submission} action={shared.save} onCancel={onClose} />}
    >
      <Field name="value" label={t.value} error={wrong} {...hint}>
        {(control) => <ValueControl control={control} column={column} value={value} onValue={setValue} />}
      </Field>
      <Field name="scope" label={t.scope} hint={t.scopeHint}>
        {(control) => (
          <Select<'target' | 'model'>
            {...control}
            value={scope === 'model' ? 'model' : 'target'}
            onValue={(chosen) => setScope(chosen === 'model' ? 'model' : at)}
            options={[
              { value: 'target', label: t.thisTarget },
              { value: 'model', label: t.allTargets },
            ]}
          />
        )}
      </Field>
    </Form>
  )
}

/** A choice for flags and words, several for lists, a line for numbers. */
function ValueControl(props: {
  readonly control: FieldControl
  readonly column: Column
  readonly value: FactValue
  onValue(value: FactValue): void
}): ReactNode {
  const t = useTexts('modelFacts')
  const { wordOf } = useFactTexts()
  const { control, column, value, onValue } = props
  const options = (column.words ?? []).map((word) => ({ value: word, label: wordOf(column.name, word) }))
  switch (column.kind) {
    case 'flag':
      return (
        <Select<'true' | 'false'>
          {...control}
          value={value === true ? 'true' : 'false'}
          onValue={(chosen) => onValue(chosen === 'true')}
          options={[
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...control}
          of={formOf(column)}
          value={String(value)}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )
    case 'word':
      return <Select {...control} value={String(value)} onValue={onValue} options={options} />
    case 'words':
      return (
        <MultiCombobox
          {...control}
          placeholder={t.none}
          options={options}
          values={Array.isArray(value) ? value : []}
          onValues={onValue}
        />
      )
  }
}
