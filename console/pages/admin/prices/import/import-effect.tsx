import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { modelWeekQuery } from '../../../../api/price-admin.ts'
import { NO_PRICES } from '../../../../api/price-kinds.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { scaled, sumOf } from '../../../../format/money.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { priceEffect } from '../price-effect.ts'
import { toForm } from '../price-form.ts'
import type { ImportRow } from './compare-prices.ts'

/** So many models are asked for; the effect of more is not worked out. */
const MOST_MODELS = 60

/** What last week's traffic would have been charged at the ticked prices. */
export function ImportEffect({ rows }: { readonly rows: readonly ImportRow[] }): ReactNode {
  const t = useTexts('priceImport').effect
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const asked = rows.filter(({ model }) => model.price !== null).slice(0, MOST_MODELS)
  const weeks = useQueries({ queries: asked.map(({ model }) => modelWeekQuery(model.name)) })
  if (asked.length === 0) return null
  if (weeks.some(({ data }) => data === undefined)) return <Notice>{t.working}</Notice>
  const parts = asked.flatMap(({ model, price }, index) => {
    const week = weeks[index]?.data
    if (week === undefined) return []
    const written = { ...NO_PRICES, ...price } as NonNullable<typeof model.price>
    return [{ charged: week.cost, effect: priceEffect(model.price, toForm(written), week)?.usd ?? '0' }]
  })
  const charged = sumOf(parts.map((part) => part.charged))
  const more = sumOf(parts.map(({ effect }) => effect))
  const share = Number(scaled(more, '1', charged))
  const said = Number(charged) === 0 ? t.noUse : t.text(format.moneyChange(more), format.percentChange(share))
  return (
    <Notice>{sentences(rows.length > asked.length ? [said, t.without(rows.length - asked.length)] : [said])}</Notice>
  )
}
