import { type ReactNode, useMemo, useState } from 'react'
import { BarChart } from '../../chart/bar-chart.tsx'
import { barScale } from '../../chart/bar-scale.ts'
import { fillBackground, seriesFill } from '../../chart/series-colours.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { timeText } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { measured, type UsageBuckets, type UsageSeries } from './buckets.ts'
import { bucketNames, figureText, seriesNames } from './figures-format.ts'
import type { BucketSize } from './span.ts'
import { UsageBucketTable } from './usage-bucket-table.tsx'
import type { UsageView } from './use-usage-search.ts'

/** The buckets as bars with a legend that has the values, or as a table of all of them. `by`: of the buckets shown. */
export function UsageChart(props: {
  readonly view: UsageView
  readonly shown: UsageBuckets
  readonly by: BucketSize
}): ReactNode {
  const t = useTexts('usage')
  const shared = useSharedTexts()
  const format = useFormat()
  const { language } = usePreferences()
  const { view, shown, by } = props
  const { measure, split } = view.search
  const { timeZone } = view
  const [active, setActive] = useState<number | null>(null)
  const drawn = useMemo(
    () => drawnBars(shown, { measure, by, language, timeZone }),
    [shown, measure, by, language, timeZone],
  )
  const names = seriesNames(shown.series, split, t)
  const looked = active === null ? undefined : drawn.bars[active]
  if (view.search.isTable) {
    return <UsageBucketTable names={names} bars={drawn.bars} measure={measure} by={by} />
  }
  const barText = (index: number): string => {
    const bar = drawn.bars[index]
    if (bar === undefined) return ''
    const parts = names.flatMap((name, series) => {
      const value = bar.values[series] ?? 0n
      return value === 0n ? [] : [`${name} ${figureText(value, measure, format)}`]
    })
    return parts.length === 0 ? t.barEmpty(bar.name) : shared.labelled(bar.name, format.list(parts))
  }
  const open = (index: number): void => {
    const bucket = shown.buckets[index]
    if (bucket === undefined) return
    const span = { name: 'custom' as const, from: timeText(bucket.fromMs), to: timeText(bucket.toMs) }
    view.change({ span, by: null })
  }
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="relative min-w-0">
        <BarChart
          label={`${t.chart(t.measures[measure], t.sizes[by])}. ${t.chartHint}`}
          bars={drawn.bars}
          fills={drawn.fills}
          scale={drawn.scale}
          tickText={(value) => figureText(value, measure, format)}
          active={active}
          onActive={setActive}
          barText={barText}
          onChoose={open}
        />
        {drawn.isEmpty && (
          <p className="pointer-events-none absolute inset-x-0 top-24 text-center text-ink-3">{t.nothingDrawn}</p>
        )}
      </div>
      <UsageLegend
        view={view}
        series={shown.series}
        names={names}
        title={looked?.name ?? t.wholeSpan}
        values={looked?.values ?? shown.series.map(({ totals }) => measured(totals, measure))}
      />
    </div>
  )
}

function drawnBars(
  { series, buckets }: UsageBuckets,
  how: Pick<UsageView['search'], 'measure'> & Parameters<typeof bucketNames>[1],
) {
  const starts = buckets.map(({ fromMs }) => fromMs)
  const names = bucketNames(starts, how)
  const bars = buckets.map(({ values }, index) => ({
    label: '',
    name: '',
    place: index,
    ...names[index],
    values: values.map((figures) => measured(figures, how.measure)),
  }))
  const heights = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0n))
  return {
    bars,
    fills: series.map(({ slot }) => seriesFill(slot)),
    scale: barScale(heights.reduce((most, height) => (height > most ? height : most), 0n)),
    isEmpty: heights.every((height) => height === 0n),
  }
}

/**
 * What the colours mean, with the values of the whole span or of the bar that is looked at. A name narrows the page to it.
 * As high as the chart, so that nothing moves when values change.
 */
function UsageLegend(props: {
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
                style={{ background: fillBackground(seriesFill(one.slot)) }}
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
