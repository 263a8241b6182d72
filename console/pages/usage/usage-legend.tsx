import type { ReactNode } from 'react'
import { seriesColour } from '../../chart/series-colours.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import type { UsageSeries } from './buckets.ts'
import { figureText } from './figures-format.ts'
import { seriesSlots } from './series-slots.ts'
import type { UsageView } from './use-usage-search.ts'

/**
 * What the colours mean, with the values of the whole span or of the bar that is looked at. A name narrows the page to it.
 * As high as the chart, so that nothing moves when values change.
 */
export function UsageLegend(props: {
  readonly view: UsageView
  readonly series: readonly UsageSeries[]
  readonly names: readonly string[]
  readonly title: string
  readonly values: readonly bigint[]
}): ReactNode {
  const t = useTexts('usage')
  const format = useFormat()
  const { view, series, names, values } = props
  const { measure, split } = view.search
  const slots = seriesSlots(series)
  const sum = values.reduce((total, value) => total + value, 0n)
  return (
    <div className="flex min-w-0 flex-col lg:h-64">
      <div className="flex items-baseline justify-between gap-3 border-b border-line pb-1.5">
        <span className="truncate text-sm text-ink-2">{props.title}</span>
        <span className="font-semibold">{figureText(sum, measure, format)}</span>
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto py-1">
        {series.map((one, index) => {
          const name = names[index] ?? ''
          const filter =
            split === 'none' || one.isRest || !one.id
              ? null
              : { [split]: split === 'key' ? one.id : (one.name ?? one.id) }
          return (
            <li key={one.id ?? 'rest'} className="flex min-h-7 touch:min-h-11 items-center gap-2">
              <span
                aria-hidden="true"
                className="size-2.5 shrink-0 rounded-[2px] forced-color-adjust-none"
                style={{ background: seriesColour(slots[index] ?? null) }}
              />
              {filter === null ? (
                <span className="min-w-0 flex-1 truncate text-ink-2">{name}</span>
              ) : (
                <button
                  type="button"
                  title={t.onlyThis(name)}
                  onClick={() => view.change({ filters: { ...view.search.filters, ...filter } })}
                  className="min-w-0 flex-1 truncate text-left touch:min-h-11 hover:text-accent hover:underline"
                >
                  {name}
                </button>
              )}
              <span className="shrink-0">{figureText(values[index] ?? 0n, measure, format)}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
