import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { changeModel } from '../../../../api/catalogue-changes.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { nameOf } from '../../../../format/name-of.ts'
import { UNLIMITED } from '../../../../format/unlimited.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Field, type FieldControl } from '../../../../forms/field.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberInput, useNumberProblem } from '../../../../forms/number-field.tsx'
import { SelectField } from '../../../../forms/select-field.tsx'
import { MultiCombobox } from '../../../../ui/combobox.tsx'
import { Select } from '../../../../ui/select.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import { type Column, type FactOfTarget, type FactValue, formOf, numberOf, ruleChange, ruledAt } from './rule-change.ts'

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
  const { labelOf } = useFactTexts()
  const problem = useNumberProblem()
  const { fact, column, at, onClose } = props
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const form = useForm({
    initial: {
      value: (typeof fact.value === 'number' ? String(fact.value) : fact.value) as FactValue,
      scope: ruledAt(fact, at) ?? at,
    },
    fields: ['value'],
    check: (values) => {
      const number = numberIn(values.value)
      if (typeof number !== 'string') return {}
      return { value: t[number](format.number(column.least ?? 0), format.number(column.most ?? UNLIMITED)) }
    },
    send: (values, { version }) => {
      const rule = { name: fact.name, scope: values.scope, value: numberIn(values.value) ?? values.value }
      return changeModel(model.id, ruleChange(model, rule), version ?? model.version)
    },
    done: () => t.saved(labelOf(fact.name)),
    refreshes: ['models'],
    onClose,
  })
  const { value, scope } = form.values
  const wrong = problem(form.errorOf('value'), { of: formOf(column), value: String(value) })
  const hint = column.kind === 'number' && column.most === UNLIMITED ? { hint: t.unlimited(String(UNLIMITED)) } : {}
  return (
    <Form
      submission={form}
      label={t.changeOf(labelOf(fact.name))}
      className="mt-3 grid gap-3 rounded-md bg-sunken p-3"
      isPart
      foot={<CancelOrSubmit submission={form} action={shared.save} onCancel={onClose} />}
    >
      <Field name="value" label={t.value} error={wrong} {...hint}>
        {(control) => (
          <ValueControl
            control={control}
            column={column}
            value={value}
            onValue={(next) => form.change({ value: next })}
          />
        )}
      </Field>
      <SelectField<'target' | 'model'>
        name="scope"
        label={t.scope}
        hint={t.scopeHint}
        value={scope === 'model' ? 'model' : 'target'}
        onValue={(chosen) => form.change({ scope: chosen === 'model' ? 'model' : at })}
        options={[
          { value: 'target', label: t.thisTarget },
          { value: 'model', label: t.allTargets },
        ]}
      />
    </Form>
  )

  function numberIn(typed: FactValue) {
    return column.kind === 'number' ? numberOf(String(typed), column) : null
  }
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

/** Facts and their values in the reader's language. */
export function useFactTexts(): {
  labelOf(fact: string): string
  wordOf(fact: string, word: string): string
  valueText(fact: string, value: FactValue): string
} {
  const t = useTexts('modelFacts')
  const format = useFormat()
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = t.words
  const wordOf = (fact: string, word: string): string => words[fact]?.[word] ?? word
  return {
    labelOf: (fact) => nameOf(fact, t.facts),
    wordOf,
    valueText: (fact, value) => {
      if (typeof value === 'boolean') return value ? t.yes : t.no
      if (typeof value === 'number') return value >= UNLIMITED ? t.noLimit : format.number(value)
      if (typeof value === 'string') return wordOf(fact, value)
      return value.length === 0 ? t.none : format.list(value.map((word) => wordOf(fact, word)))
    },
  }
}
