import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { modelQuery, setPrice } from '../../../api/price-admin.ts'
import { CALL_KINDS, TOKEN_KINDS, UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { useSubmission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { EffectiveAtField, type EffectiveAt, useEffectiveAt } from './effective-at.tsx'
import { ConfirmFarPrice, farAmounts, PriceEffectNotice } from './price-effect-notice.tsx'
import { type PriceForm, priceOf, toForm, validate } from './price-form.ts'
import { PriceParts } from './price-parts.tsx'

interface PriceEditing {
  readonly model: ModelView
  readonly form: PriceForm
  /** The version of the model when the form was first touched. */
  readonly version: string | undefined
  /** null: as the model is. */
  onForm(form: PriceForm | null): void
}

/** All that a model costs, to be changed and saved at once, with the effect before. */
export function PriceEditor(props: PriceEditing): ReactNode {
  const { editor: t, planning } = useTexts('prices')
  const effective = useEffectiveAt()
  const submission = usePriceSubmission(props, effective)
  const [isAsking, setAsking] = useState(false)
  const { model, form, onForm } = props
  const price = priceOf(form)
  const isSound = Object.keys(validate(form)).length === 0
  const isChanged = isChangedFrom(model, form)
  const action = effective.at === null ? t.save : planning.save
  const submit = (): void => {
    if (isSound && effective.error === undefined && farAmounts(model, form).length > 0) setAsking(true)
    else submission.submit()
  }
  return (
    <Section title={t.title} lead={t.lead}>
      <Form
        submission={{ ...submission, submit }}
        label={t.title}
        className="grid gap-5"
        foot={
          <div
            className={classNames(
              'flex flex-wrap justify-end gap-2',
              // Within reach while there is something to save: above what scrolls, and above the bar of phones.
              isChanged &&
                'sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-1 -mx-4 -mb-4 rounded-b-lg border-t border-line bg-surface px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5 lg:bottom-0',
            )}
          >
            {isChanged && <Button onClick={() => onForm(null)}>{t.reset}</Button>}
            <Button type="submit" look="primary" disabled={!isChanged} isBusy={submission.isSending}>
              {action}
            </Button>
          </div>
        }
      >
        <PriceParts form={form} onChange={(part) => onForm({ ...form, ...part })} errorOf={submission.errorOf} />
        {price === null && <Notice tone="warn">{t.unpriced}</Notice>}
        {isChanged && isSound && <PriceEffectNotice model={model} form={form} />}
        {isChanged && <EffectiveAtField effective={effective} error={submission.errorOf('effective_at')} />}
      </Form>
      <ConfirmFarPrice
        model={model}
        form={form}
        isOpen={isAsking}
        action={action}
        onConfirm={() => {
          setAsking(false)
          submission.submit()
        }}
        onClose={() => setAsking(false)}
      />
    </Section>
  )
}

function isChangedFrom({ price }: ModelView, form: PriceForm): boolean {
  return JSON.stringify(priceOf(form)) !== JSON.stringify(priceOf(toForm(price)))
}

function usePriceSubmission(
  { model, form, version, onForm }: PriceEditing,
  effective: EffectiveAt & { readonly moment: string | undefined },
) {
  const { editor: t, planning } = useTexts('prices')
  const queries = useQueryClient()
  const refresh = useRefresh()
  const toast = useToast()
  const problems = validate(form)
  return useSubmission({
    fields: [...FIELDS, 'effective_at', ...Object.keys(problems), ...tierFields(form)],
    check: () => ({
      ...Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, t[problem]])),
      ...(effective.error === undefined ? {} : { effective_at: effective.error }),
    }),
    send: (_key, overwritten) =>
      setPrice(model.id, { price: priceOf(form), effective_at: effective.moment }, overwritten ?? version),
    onTheirs: () => {
      refresh(['models'])
      onForm(null)
    },
    onDone: (saved) => {
      // The next press on this page is made of what was saved, and meets no change of its own.
      queries.setQueryData(modelQuery(saved.id).queryKey, saved)
      refresh(['models', 'groups', 'attention', 'audit'])
      toast({ text: effective.at === null ? t.saved(saved.name) : planning.saved(saved.name) })
      effective.onAt(null)
      onForm(null)
    },
  })
}

/** What the server may name a problem of, beside what is found here. */
const FIELDS = [
  ...[...TOKEN_KINDS, ...UNIT_KINDS].map((kind) => `price.${kind}`),
  ...CALL_KINDS.map((kind) => `price.per_call.${kind}`),
]

function tierFields({ tiers }: PriceForm): readonly string[] {
  return tiers.flatMap((_, i) => ['above_input_tokens', ...TOKEN_KINDS].map((field) => `price.tiers.${i}.${field}`))
}
