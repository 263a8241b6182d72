import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { groupsUseQuery } from '../../../api/group-admin.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { modelQuery, modelWeekQuery, setPrice } from '../../../api/price-admin.ts'
import { CALL_KINDS, TOKEN_KINDS, UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Form } from '../../../forms/form.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { AmountFields, FactorFields, TierFields } from './price-fields.tsx'
import { EffectiveAtField, useEffectiveAt } from './effective-at.tsx'
import { priceEffect } from './price-effect.ts'
import { type PriceForm, priceOf, SERVICE_NAMES, toForm, validate } from './price-form.ts'

const USUAL = TOKEN_KINDS.slice(0, 4)
const OTHERS = [...TOKEN_KINDS.slice(4), ...UNIT_KINDS]

/** All that a model costs, to be changed and saved at once, with the effect before. */
export function PriceEditor(props: {
  readonly model: ModelView
  readonly form: PriceForm
  /** The version of the model when the form was first touched. */
  readonly version: string | undefined
  /** null: as the model is. */
  onForm(form: PriceForm | null): void
}): ReactNode {
  const { editor: t, planning } = useTexts('prices')
  const effective = useEffectiveAt()
  const { kinds, calls } = useTexts('models')
  const queries = useQueryClient()
  const refresh = useRefresh()
  const toast = useToast()
  const { model, form, onForm } = props
  const change = (part: Partial<PriceForm>): void => onForm({ ...form, ...part })
  const price = priceOf(form)
  const problems = validate(form)
  const isChanged = JSON.stringify(price) !== JSON.stringify(priceOf(toForm(model.price)))
  const submission = useSubmission({
    fields: [...FIELDS, 'effective_at', ...Object.keys(problems), ...tierFields(form)],
    check: () => ({
      ...Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, t[problem]])),
      ...(effective.error === undefined ? {} : { effective_at: effective.error }),
    }),
    send: (_key, overwritten) =>
      setPrice(model.id, { price, effective_at: effective.moment }, overwritten ?? props.version),
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
  const own = Object.keys(form.ownServices)
  return (
    <Section title={t.title} lead={t.lead}>
      <Form
        submission={submission}
        label={t.title}
        className="grid gap-5"
        foot={
          <div className="flex flex-wrap justify-end gap-2">
            {isChanged && <Button onClick={() => onForm(null)}>{t.reset}</Button>}
            <Button type="submit" look="primary" disabled={!isChanged} isBusy={submission.isSending}>
              {effective.at === null ? t.save : planning.save}
            </Button>
          </div>
        }
      >
        <AmountFields
          at="price"
          kinds={USUAL}
          labels={kinds}
          amounts={form.amounts}
          onAmount={(kind, amount) => change({ amounts: { ...form.amounts, [kind]: amount } })}
          errorOf={submission.errorOf}
        />
        <Disclosure
          title={t.more}
          summary={t.moreSummary}
          isOpenAtFirst={OTHERS.some((kind) => form.amounts[kind] !== '')}
        >
          <AmountFields
            at="price"
            kinds={OTHERS}
            labels={kinds}
            amounts={form.amounts}
            onAmount={(kind, amount) => change({ amounts: { ...form.amounts, [kind]: amount } })}
            errorOf={submission.errorOf}
          />
        </Disclosure>
        <TierFields tiers={form.tiers} onTiers={(tiers) => change({ tiers })} errorOf={submission.errorOf} />
        <div className="grid gap-5 lg:grid-cols-2">
          <FactorFields
            at="services"
            title={t.services}
            lead={t.servicesLead}
            add={t.addService}
            note={own.length === 0 ? undefined : t.ownServices(own)}
            names={SERVICE_NAMES}
            rows={form.services}
            onRows={(services) => change({ services })}
            errorOf={submission.errorOf}
          />
          <FactorFields
            at="places"
            title={t.places}
            lead={t.placesLead}
            add={t.addPlace}
            names={[]}
            rows={form.places}
            onRows={(places) => change({ places })}
            errorOf={submission.errorOf}
          />
        </div>
        <Disclosure
          title={t.calls}
          summary={t.callsSummary}
          isOpenAtFirst={CALL_KINDS.some((kind) => form.calls[kind] !== '')}
        >
          <AmountFields
            at="price.per_call"
            kinds={CALL_KINDS}
            labels={calls}
            amounts={form.calls}
            onAmount={(kind, amount) => change({ calls: { ...form.calls, [kind]: amount } })}
            errorOf={submission.errorOf}
          />
        </Disclosure>
        {price === null && <Notice tone="warn">{t.unpriced}</Notice>}
        {isChanged && Object.keys(problems).length === 0 && <EffectOfPrice model={model} form={form} />}
        {isChanged && <EffectiveAtField effective={effective} error={submission.errorOf('effective_at')} />}
      </Form>
    </Section>
  )
}

/** What the server may name a problem of, beside what is found here. */
const FIELDS = [
  ...[...TOKEN_KINDS, ...UNIT_KINDS].map((kind) => `price.${kind}`),
  ...CALL_KINDS.map((kind) => `price.per_call.${kind}`),
]

function tierFields({ tiers }: PriceForm): readonly string[] {
  return tiers.flatMap((_, i) => ['above_input_tokens', ...TOKEN_KINDS].map((field) => `price.tiers.${i}.${field}`))
}

/** How many keys the price affects, and what it comes to at last week's use. */
function EffectOfPrice({ model, form }: { readonly model: ModelView; readonly form: PriceForm }): ReactNode {
  const t = useTexts('prices').effect
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const { data: uses } = useQuery(groupsUseQuery)
  const { data: groups } = useQuery(groupsQuery)
  const { data: week } = useQuery(modelWeekQuery(model.name))
  const having = groups?.data.filter(({ models }) => models.includes('*') || models.includes(model.name)) ?? []
  const keys = having.reduce((sum, { id }) => sum + (uses?.get(id)?.keys ?? 0), 0)
  const effect = week === undefined ? null : priceEffect(model.price, form, week)
  return (
    <Notice tone="accent" title={t.title} isLive>
      {uses !== undefined && groups !== undefined && <p>{t.users(keys, format.number(keys), having.length)}</p>}
      {week?.requests === 0 && <p>{t.noUse}</p>}
      {effect !== null && (
        <p>{sentences([t.price(format.moneyChange(effect.usd), format.percentChange(effect.share)), t.note])}</p>
      )}
      <p>{t.running}</p>
    </Notice>
  )
}
