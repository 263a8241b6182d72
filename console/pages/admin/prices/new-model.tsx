import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { createModel } from '../../../api/catalogue-changes.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

/** A model with its price and a first target; the rest is set on its page. */
export default function NewModel(props: {
  /** The name that was asked for; empty: not known. */
  readonly name: string
  onDone(made: ModelView): void
  onClose(): void
}): ReactNode {
  const t = useTexts('prices').adding
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const form = useForm({
    initial: { name: props.name, input: '', output: '', upstream: '', model: '' },
    validate: (values) => ({ name: values.name.trim() === '' && 'required', ...amountProblems(values) }),
    messages: t,
    send: (values, { key }) => {
      const [name, model] = [values.name.trim(), values.model.trim()]
      const [input, output] = [amountOf(values.input), amountOf(values.output)]
      const target = { upstream: values.upstream, model: model === '' ? name : model }
      const price = input === null || output === null ? null : { input, output }
      return createModel({ name, price, targets: values.upstream === '' ? [] : [target] }, key)
    },
    onDone: props.onDone,
    refreshes: ['models', 'upstreams', 'groups', 'attention'],
  })
  const field = (name: 'name' | 'input' | 'output' | 'model') => form.text(name, t[name])
  return (
    <FormDialog form={form} title={t.title} description={t.lead} action={t.action} onClose={props.onClose}>
      <TextField {...field('name')} hint={t.nameHint} maxLength={200} spellCheck={false} autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField of="amount" {...field('input')} isOptional />
        <NumberField of="amount" {...field('output')} isOptional />
      </div>
      <SelectField
        name="upstream"
        label={t.upstream}
        error={form.errorOf('upstream')}
        value={form.values.upstream}
        onValue={(upstream) => form.change({ upstream })}
        options={[{ value: '', label: t.noUpstream }, ...upstreams.map(({ name }) => ({ value: name, label: name }))]}
      />
      {form.values.upstream !== '' && (
        <TextField {...field('model')} hint={t.modelHint} maxLength={200} spellCheck={false} isOptional />
      )}
    </FormDialog>
  )
}

function amountProblems({ input, output }: { readonly input: string; readonly output: string }) {
  const [hasInput, hasOutput] = [input.trim() !== '', output.trim() !== '']
  if (hasInput !== hasOutput) return { [hasInput ? 'output' : 'input']: 'pricePair' as const }
  return {
    input: !isEmptyOr(amountOf, input) && ('amountForm' as const),
    output: !isEmptyOr(amountOf, output) && ('amountForm' as const),
  }
}
