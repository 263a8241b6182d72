import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { createModel } from '../../../api/catalogue-changes.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'

/** A model with its price and a first target; the rest is set on its page. */
export default function NewModel(props: {
  /** As it was asked for; empty: not known. */
  readonly name: string
  onDone(made: ModelView): void
  onClose(): void
}): ReactNode {
  const t = useTexts('prices').adding
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const [wish, setWish] = useState({ name: props.name, input: '', output: '', upstream: '', model: '' })
  const submission = useSubmission({
    fields: ['name', 'input', 'output', 'upstream', 'model'],
    check: (): FieldErrors => ({
      ...(wish.name.trim() === '' ? { name: shared.required } : {}),
      ...amountObjections(wish, { pair: t.pricePair, form: t.amountForm }),
    }),
    send: (key) => {
      const { name, upstream, model } = wish
      const [input, output] = [amountOf(wish.input), amountOf(wish.output)]
      const target = { upstream, model: model.trim() === '' ? name.trim() : model.trim() }
      const price = input === null || output === null ? null : { input, output }
      return createModel({ name: name.trim(), price, targets: upstream === '' ? [] : [target] }, key)
    },
    onDone: (made) => {
      for (const name of ['models', 'upstreams', 'groups', 'attention']) {
        void queries.invalidateQueries({ queryKey: [name] })
      }
      props.onDone(made)
    },
  })
  const field = (name: 'name' | 'input' | 'output' | 'model') => ({
    name,
    label: t[name],
    value: wish[name],
    onValue: (value: string) => setWish({ ...wish, [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <Dialog isOpen title={t.title} description={t.lead} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={props.onClose} />}
      >
        <TextField {...field('name')} hint={t.nameHint} maxLength={200} spellCheck={false} autoFocus />
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField of="amount" {...field('input')} isOptional />
          <NumberField of="amount" {...field('output')} isOptional />
        </div>
        <Field name="upstream" label={t.upstream} error={submission.errorOf('upstream')}>
          {(control) => (
            <Select
              {...control}
              value={wish.upstream}
              onValue={(upstream) => setWish({ ...wish, upstream })}
              options={[
                { value: '', label: t.noUpstream },
                ...upstreams.map(({ name }) => ({ value: name, label: name })),
              ]}
            />
          )}
        </Field>
        {wish.upstream !== '' && (
          <TextField {...field('model')} hint={t.modelHint} maxLength={200} spellCheck={false} isOptional />
        )}
      </Form>
    </Dialog>
  )
}

function amountObjections(
  { input, output }: { readonly input: string; readonly output: string },
  says: { readonly pair: string; readonly form: string },
): FieldErrors {
  const [hasInput, hasOutput] = [input.trim() !== '', output.trim() !== '']
  if (hasInput !== hasOutput) return { [hasInput ? 'output' : 'input']: says.pair }
  return {
    ...(isEmptyOr(amountOf, input) ? {} : { input: says.form }),
    ...(isEmptyOr(amountOf, output) ? {} : { output: says.form }),
  }
}
