import { useMemo, useState, type ReactNode } from 'react'
import { BarChart } from '../../chart/bar-chart.tsx'
import { barScale } from '../../chart/bar-scale.ts'
import { seriesColour } from '../../chart/series-colours.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { timeText } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { measured, type UsageBuckets } from './buckets.ts'
import { bucketNames, figureText, seriesNames } from './figures-format.ts'
import { seriesSlots } from './series-slots.ts'
import type { BucketSize } from './span.ts'
import { UsageBucketTable } from './usage-bucket-table.tsx'
import { UsageLegend } from './usage-legend.tsx'
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
          colours={drawn.colours}
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
  const slots = seriesSlots(series)
  const heights = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0n))
  return {
    bars,
    colours: series.map((_, index) => seriesColour(slots[index] ?? null)),
    scale: barScale(heights.reduce((most, height) => (height > most ? height : most), 0n)),
    isEmpty: heights.every((height) => height === 0n),
  }
}
