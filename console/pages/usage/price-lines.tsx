import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { isZero, withPlaces } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { formatExact } from './exact-money.ts'
import { useLineFormula } from '../../costs/line-formula.ts'
import type { PriceExplanation } from '../../costs/price-explanation.ts'

/** Each line as a sum of its own, so that it can be read on a phone without scrolling sideways. */
export function PriceLines({ price }: { readonly price: PriceExplanation }): ReactNode {
  const r = useTexts('record')
  const formulaOf = useLineFormula()
  const format = useFormat()
  const { language } = usePreferences()
  const exact = (amount: string): string => formatExact(amount, language)
  const shown = [...price.lines.map(({ cost }) => exact(cost)), format.exactMoney(price.cost)]
  const places = Math.max(...shown.map((amount) => amount.split('.')[1]?.length ?? 0))
  return (
    <table className="w-full border-collapse">
      <thead className="sr-only">
        <tr>
          <th scope="col">{r.kind}</th>
          <th scope="col">{r.amount}</th>
        </tr>
      </thead>
      <tbody>
        {price.lines.map((line) => (
          <tr key={line.kind} className="border-b border-line">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {r.kinds[line.kind]}
              <span className="block text-sm text-ink-3">{formulaOf(line, price)}</span>
            </th>
            <td className="py-2 text-right align-top whitespace-nowrap">{withPlaces(exact(line.cost), places)}</td>
          </tr>
        ))}
        {price.addsUp && !isZero(roundedUp(price.rounding)) && (
          <>
            <SumRow label={r.sum} amount={withPlaces(exact(price.sum), places)} />
            <SumRow label={r.rounding} amount={`+ ${withPlaces(exact(price.rounding), places)}`} />
          </>
        )}
        <tr className="border-t border-edge">
          <th scope="row" className="py-2 pr-3 text-left font-semibold">
            {r.cost}
          </th>
          <td className="py-2 text-right font-semibold whitespace-nowrap">
            {withPlaces(format.exactMoney(price.cost), places)}
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function SumRow({ label, amount }: { readonly label: string; readonly amount: string }): ReactNode {
  return (
    <tr className="text-ink-2">
      <th scope="row" className="py-1 pr-3 text-left font-normal">
        {label}
      </th>
      <td className="py-1 text-right whitespace-nowrap">{amount}</td>
    </tr>
  )
}

/** Anything above nothing is something here. */
function roundedUp(amount: string): string {
  return /[1-9]/.test(amount) ? '1' : '0'
}

/** Why these are not the plain prices. */
export function ChargedTerms({
  record,
}: {
  readonly record: Pick<UsageRecordView, 'service_tier' | 'inference_geo' | 'above_input_tokens'>
}): ReactNode {
  const r = useTexts('record')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const { service_tier: tier, inference_geo: geo, above_input_tokens: above } = record
  const said = [
    tier === null ? null : r.serviceTier(tier),
    geo === null ? null : r.inferenceGeo(geo),
    above === null ? null : r.aboveInputTokens(format.number(above)),
  ].filter((text) => text !== null)
  return said.length === 0 ? null : <p className="text-sm text-ink-2">{sentences(said)}</p>
}
