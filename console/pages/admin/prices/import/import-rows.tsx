import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { modelWeekQuery } from '../../../../api/price-admin.ts'
import { NO_PRICES, TOKEN_KINDS, UNIT_KINDS } from '../../../../api/price-kinds.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { scaled, sumOf } from '../../../../format/money.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { priceEffect } from '../price-effect.ts'
import { toForm } from '../price-form.ts'
import { byReason } from './catalogue-entry.ts'
import type { AmountChange, ImportRow } from './compare-prices.ts'

const KINDS = [...TOKEN_KINDS, ...UNIT_KINDS]
/** So many are named for a model; the others are variants of them as a rule. */
const MOST_FIELDS = 3

/** Each model with its old and new amounts, those held back first. */
export function ImportRows(props: {
  readonly rows: readonly ImportRow[]
  readonly ticked: ReadonlySet<string>
  onTick(ids: readonly string[], isTicked: boolean): void
}): ReactNode {
  const t = useTexts('priceImport')
  const rows = props.rows.toSorted((a, b) => Math.sign(b.held.length) - Math.sign(a.held.length))
  // Only that they have no price yet keeps them back: many models are priced in one press.
  const first = rows.filter(({ held }) => held.length === 1 && held[0] === 'first').map(({ model }) => model.id)
  const chosen = first.filter((id) => props.ticked.has(id)).length
  return (
    <>
      {first.length > 1 && (
        <Checkbox
          checked={chosen === first.length}
          isPartly={chosen > 0}
          onChecked={(isTicked) => props.onTick(first, isTicked)}
        >
          {t.selectFirst(first.length)}
        </Checkbox>
      )}
      <ul aria-label={t.list} className="card divide-y divide-line">
        {rows.map((row) => {
          const { model, entry, held } = row
          return (
            <li key={model.id} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
              <div className="min-w-0">
                <Checkbox
                  checked={props.ticked.has(model.id)}
                  onChecked={(isTicked) => props.onTick([model.id], isTicked)}
                >
                  <span className="font-mono [overflow-wrap:anywhere]">{model.name}</span>
                </Checkbox>
                <p className="pl-6 text-sm [overflow-wrap:anywhere] text-ink-3">
                  {[entry.provider, entry.name === model.name ? '' : entry.name]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </p>
                {held.length > 0 && (
                  <ul className="mt-1 grid gap-1 pl-6 text-sm text-warn">
                    {held.map((reason) => (
                      <li key={reason}>{t.held[reason]}</li>
                    ))}
                  </ul>
                )}
              </div>
              {/* The first amount on the line of the model's name. */}
              <ul className="grid content-start gap-0.5 sm:pt-1.5 sm:touch:pt-3">
                {row.changes.map((change) => (
                  <Change key={change.field} change={change} />
                ))}
                {row.hasOtherRules && <li className="text-sm text-ink-2">{t.otherRules}</li>}
                <NotImported row={row} />
              </ul>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The dearer of what the catalogue says of the model and this gateway has no place for. */
function NotImported({ row: { entry } }: { readonly row: ImportRow }): ReactNode {
  const t = useTexts('priceImport').leftOut
  const format = useFormat()
  return byReason(entry.left.filter(({ isDearer }) => isDearer)).map(({ because, fields }) => (
    <li key={because} className="text-sm [overflow-wrap:anywhere] text-warn">
      {t.ofModel(
        t.fields(format.list(fields.slice(0, MOST_FIELDS)), Math.max(0, fields.length - MOST_FIELDS)),
        t.why[because],
      )}
    </li>
  ))
}

function Change({ change }: { readonly change: AmountChange }): ReactNode {
  const t = useTexts('priceImport')
  const format = useFormat()
  const { kinds } = useTexts('models')
  const { field, before, after } = change
  const kind = KINDS.find((each) => each === field)
  const label = kind === undefined ? t.limits[field === 'context_tokens' ? 'context' : 'output'] : kinds[kind]
  const shown = (amount: string): string =>
    kind === undefined ? format.number(Number(amount)) : format.exactMoney(amount)
  const by = before === null || Number(before) === 0 ? null : Number(after) / Number(before) - 1
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="text-sm text-ink-3">{label}</span>
      <span className="flex items-baseline gap-2">
        {before === null ? shown(after) : `${shown(before)} → ${shown(after)}`}
        {/* As wide in every line, so that the amounts end below each other. */}
        <span className="flex w-18 shrink-0 justify-end">
          {by !== null && (
            <Badge tone={kind === undefined || by < 0 ? 'neutral' : 'warn'}>{format.percentChange(by)}</Badge>
          )}
        </span>
      </span>
    </li>
  )
}

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
