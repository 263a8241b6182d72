import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { changeModel } from '../../../api/catalogue-changes.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { MultiCombobox } from '../../../ui/combobox.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { hasOwnPrices, newTarget, objectionsToTarget, targetOf, targetWish, type TargetWish } from './target-wish.ts'

/** Where the requests of a model go: which upstream first, for whom, and what it costs there. */
export default function EditTargets(props: { readonly model: ModelView; onClose(): void }): ReactNode {
  const t = useTexts('prices').targets
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [model] = useState(props.model)
  const [wishes, setWishes] = useState<readonly TargetWish[]>(() => (model.targets ?? []).map(targetWish))
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const close = (): void => {
    for (const name of ['models', 'upstreams', 'groups', 'attention']) {
      void queries.invalidateQueries({ queryKey: [name] })
    }
    props.onClose()
  }
  const submission = useSubmission({
    fields: ['targets', ...wishes.flatMap((wish, at) => Object.keys(wish).map((field) => `targets.${at}.${field}`))],
    check: (): FieldErrors =>
      Object.fromEntries(
        wishes.flatMap((wish, at) =>
          Object.entries(objectionsToTarget(wish)).map(([field, objection]) => [
            `targets.${at}.${field}`,
            objection === 'required' ? shared.required : t.objections[objection],
          ]),
        ),
      ),
    send: (_key, overwritten) => changeModel(model.id, { targets: wishes.map(targetOf) }, overwritten ?? model.version),
    onTheirs: close,
    onDone: () => {
      toast({ text: t.saved(model.name) })
      close()
    },
  })
  const set = (at: number, part: Partial<TargetWish>): void =>
    setWishes(wishes.map((wish, index) => (index === at ? { ...wish, ...part } : wish)))
  return (
    <Drawer isOpen title={t.editTitle(model.name)} description={t.editLead} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={shared.save} onCancel={props.onClose} />}
      >
        {wishes.map((wish, at) => (
          <TargetFields
            key={at}
            number={at + 1}
            wish={wish}
            upstreams={upstreams.map(({ name }) => name)}
            onWish={(part) => set(at, part)}
            onRemove={() => setWishes(wishes.filter((_, index) => index !== at))}
            errorOf={(field) => submission.errorOf(`targets.${at}.${field}`)}
          />
        ))}
        {submission.errorOf('targets') !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {submission.errorOf('targets')}
          </p>
        )}
        <div>
          <Button
            icon="plus"
            onClick={() => setWishes([...wishes, newTarget(upstreams[0]?.name ?? '', wishes[0]?.model ?? model.name)])}
          >
            {t.add}
          </Button>
        </div>
      </Form>
    </Drawer>
  )
}

function TargetFields(props: {
  readonly number: number
  readonly wish: TargetWish
  readonly upstreams: readonly string[]
  onWish(part: Partial<TargetWish>): void
  onRemove(): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const t = useTexts('prices').targets
  const { data: groups } = useQuery(groupsQuery)
  const { number, wish, onWish, errorOf } = props
  const field = (
    name: 'model' | 'priority' | 'weight' | 'factor' | 'min_margin' | 'spend_per_day' | 'fields_like',
  ) => ({
    name,
    label: t.fields[name],
    value: wish[name],
    onValue: (value: string) => onWish({ [name]: value }),
    error: errorOf(name),
  })
  const names = props.upstreams.includes(wish.upstream) ? props.upstreams : [wish.upstream, ...props.upstreams]
  return (
    <fieldset className="grid min-w-0 gap-3 border-t border-line pt-3 first:border-t-0 first:pt-0">
      <legend className="font-medium">{t.target(number)}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field name="upstream" label={t.fields.upstream} error={errorOf('upstream')}>
          {(control) => (
            <Select
              {...control}
              value={wish.upstream}
              onValue={(upstream) => onWish({ upstream })}
              options={names.map((name) => ({ value: name, label: name }))}
            />
          )}
        </Field>
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
            values={wish.groups}
            onValues={(chosen) => onWish({ groups: chosen })}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-3">
        {hasOwnPrices(wish) ? (
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
