import type { ReactNode } from 'react'
import type { Bar } from '../../chart/bars.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { figureText } from './figures-format.ts'
import type { BucketSize } from './span.ts'
import type { Measure } from './usage-search.ts'

/** Decimal places of the sum of an hour or a day. */
const COST_PLACES = 5

/** The chart in figures: a row for each bucket that has any, the newest first. */
export function UsageBucketTable(props: {
  readonly names: readonly string[]
  readonly bars: readonly Bar[]
  readonly measure: Measure
  readonly by: BucketSize
}): ReactNode {
  const t = useTexts('usage')
  const format = useFormat()
  const { names, measure, by } = props
  const label = t.chart(t.measures[measure], t.sizes[by])
  const rows = props.bars.filter(({ values }) => values.some((value) => value > 0n)).toReversed()
  const figure = (value: bigint): ReactNode => {
    if (value === 0n) return '–'
    const shown = figureText(value, measure, format)
    return measure === 'cost' ? <AlignedAmount shown={shown} places={COST_PLACES} /> : shown
  }
  return (
    <div role="region" aria-label={label} tabIndex={0} className="h-64 overflow-auto rounded-md border border-line">
      <table className="w-full border-collapse text-right whitespace-nowrap">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-sunken text-sm text-ink-3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t.bucket[by]}
            </th>
            <th scope="col" className="px-3 font-medium">
              {t.total}
            </th>
            {names.length > 1 &&
              names.map((name) => (
                <th key={name} scope="col" className="px-3 font-medium">
                  <CutName text={name} className="max-w-44" />
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((bar) => (
            <tr key={bar.name} className="border-t border-line">
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                {bar.name}
              </th>
              <td className="px-3 font-medium">{figure(bar.values.reduce((sum, value) => sum + value, 0n))}</td>
              {names.length > 1 &&
                bar.values.map((value, index) => (
                  <td key={index} className="px-3 text-ink-2">
                    {figure(value)}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
