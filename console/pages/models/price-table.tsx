import { Fragment, type ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier, isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { type PriceCell, type PriceRow, priceSections, type SectionAbout } from './price-rows.ts'

/**
 * Every price that is set, by kind and group; before the multiplier first, where no group has that price. Multipliers are
 * shown where they make a difference. `label`: what the table is; left out: the prices by group.
 */
export function PriceTable(props: {
  readonly model: Pick<ModelView, 'price' | 'groups'>
  readonly label?: string
}): ReactNode {
  const { model } = props
  const t = useTexts('models')
  const format = useFormat()
  const base = { name: t.drawer.base, multiplier: '1', price: model.price }
  const isBaseTold = model.groups.some(({ multiplier }) => multiplier === '1')
  const hasMultipliers = model.groups.some(({ multiplier }) => multiplier !== '1')
  const columns = isBaseTold ? model.groups : [base, ...model.groups]
  const sections = priceSections(columns.map(({ price }) => price))
  const text = (cell: PriceCell): string => {
    if (cell === null) return '–'
    if ('factor' in cell) return formatMultiplier(cell.factor)
    return isZero(cell.usd) ? t.free : format.exactMoney(cell.usd)
  }
  const title = (about: SectionAbout): string | null => {
    if (about.kind === 'plain') return null
    if (about.kind === 'factors') return t.drawer.factors
    if (about.kind === 'calls') return t.drawer.calls
    if (about.kind === 'length') return t.drawer.above(format.number(about.aboveTokens))
    const above = about.aboveTokens === null ? '' : ` · ${t.drawer.above(format.number(about.aboveTokens))}`
    return `${t.drawer.serviceTier(about.name)}${above}`
  }
  const label = ({ of }: PriceRow): string => {
    if (of.kind === 'price') return t.kinds[of.price]
    if (of.kind === 'call') return t.calls[of.call]
    return of.kind === 'service' ? t.drawer.serviceTier(of.name) : t.drawer.place(of.name)
  }
  if (sections.length === 0) return <p className="text-ink-2">{t.noPrice}</p>
  return (
    <div
      role="region"
      aria-label={props.label ?? t.drawer.prices}
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full border-collapse text-right">
        <thead className="bg-sunken text-sm text-ink-3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t.drawer.kind}
            </th>
            {columns.map((group) => (
              <th key={group.name} scope="col" className="px-3 py-1.5 font-medium break-normal">
                {group.name}
                {hasMultipliers && group !== base && (
                  <span className="block font-normal">{formatMultiplier(group.multiplier)}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sections.map((section) => (
            <Fragment key={JSON.stringify(section.about)}>
              {title(section.about) !== null && (
                <tr className="border-t border-line">
                  <th
                    scope="rowgroup"
                    colSpan={columns.length + 1}
                    className="px-3 pt-3 pb-1.5 text-left text-sm font-medium text-ink-3"
                  >
                    {title(section.about)}
                  </th>
                </tr>
              )}
              {section.rows.map((row) => (
                <tr key={label(row)} className="border-t border-line">
                  <th scope="row" className="px-3 py-1.5 text-left font-normal">
                    {label(row)}
                  </th>
                  {columns.map((group, i) => (
                    <td key={group.name} className="px-3 whitespace-nowrap">
                      {text(row.cells[i] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
