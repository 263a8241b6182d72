import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { groupsUseQuery } from '../../../api/group-admin.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { modelWeekQuery } from '../../../api/price-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { farMove } from './far-move.ts'
import { priceDifference } from './price-changes.ts'
import { priceEffect } from './price-effect.ts'
import { priceOf, type PriceForm } from './price-form.ts'

/** An amount that moves so far that it is asked about before it is saved. */
type FarAmount = ReturnType<typeof priceDifference>['amounts'][number] & {
  readonly before: string
  readonly after: string
}

/** The amounts of a price that move to or from nothing, or as far as an import holds them back for. */
export function farAmounts({ price }: Pick<ModelView, 'price'>, form: PriceForm): readonly FarAmount[] {
  return priceDifference(price, priceOf(form)).amounts.flatMap(({ kind, before, after }) =>
    before === null || after === null || farMove(before, after) === null ? [] : [{ kind, before, after }],
  )
}

interface EffectAsked {
  readonly model: ModelView
  readonly form: PriceForm
}

/** How many keys the price affects, and what it comes to at last week's use. */
export function PriceEffectNotice({ model, form }: EffectAsked): ReactNode {
  const t = useTexts('prices').effect
  const isFar = farAmounts(model, form).length > 0
  return (
    <Notice tone={isFar ? 'warn' : 'neutral'} title={isFar ? t.far : t.title} isLive>
      <EffectFigures model={model} form={form} />
      <p>{t.running}</p>
    </Notice>
  )
}

/** Asks once more where an amount moves far, with what it comes to. */
export function ConfirmFarPrice(
  props: EffectAsked & { readonly isOpen: boolean; readonly action: string; onConfirm(): void; onClose(): void },
): ReactNode {
  const { effect: t, history } = useTexts('prices')
  const { kinds } = useTexts('models')
  const format = useFormat()
  const { model, form, isOpen, action, onConfirm, onClose } = props
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t.confirm(model.name)}
      action={action}
      isDangerous
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="mb-2 font-medium text-ink">
        {farAmounts(model, form).map(({ kind, before, after }) => (
          <li key={kind}>
            {history.change(kinds[kind], format.exactMoney(before), format.exactMoney(after))}
            {Number(before) > 0 && ` (${format.percentChange(Number(after) / Number(before) - 1)})`}
          </li>
        ))}
      </ul>
      <EffectFigures model={model} form={form} />
    </ConfirmDialog>
  )
}

function EffectFigures({ model, form }: EffectAsked): ReactNode {
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
    <>
      {uses !== undefined && groups !== undefined && <p>{t.users(keys, format.number(keys), having.length)}</p>}
      {week?.requests === 0 && <p>{t.noUse}</p>}
      {effect !== null && (
        <p>{sentences([t.price(format.moneyChange(effect.usd), format.percentChange(effect.share)), t.note])}</p>
      )}
    </>
  )
}
