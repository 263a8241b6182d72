import { type ReactNode, useMemo, useState } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { BarChart } from '../../chart/bar-chart.tsx'
import { barScale } from '../../chart/bar-scale.ts'
import { seriesFill } from '../../chart/series-colours.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { nanoOf, usdOf } from '../../format/decimal.ts'
import { dayOffsetMinutes, timeZoneHere } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { bucketNames } from '../usage/figures-format.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const PLOT_PX = 120
const FILLS = [seriesFill(0)]

/** What each of the last thirty days cost, over an axis. `text`: said below while no day is looked at. */
export function DaysChart(props: {
  readonly days: Overview['days']
  readonly asOf: string
  readonly label: string
  readonly text: string
}): ReactNode {
  const format = useFormat()
  const { labelled } = useSharedTexts()
  const { language } = usePreferences()
  const { days, asOf } = props
  const [active, setActive] = useState<number | null>(null)
  const drawn = useMemo(() => drawnDays(days, { asOf, language }), [days, asOf, language])
  const moneyOf = (value: bigint | undefined): string => format.money(usdOf(value ?? 0n))
  const barText = (index: number): string => {
    const bar = drawn.bars[index]
    return bar === undefined ? '' : labelled(bar.name, moneyOf(bar.values[0]))
  }
  return (
    <>
      <BarChart
        label={props.label}
        bars={drawn.bars}
        fills={FILLS}
        scale={drawn.scale}
        plotPx={PLOT_PX}
        tickText={moneyOf}
        active={active}
        onActive={setActive}
        barText={barText}
      />
      <p className="mt-1 text-sm text-ink-3">{active === null ? props.text : barText(active)}</p>
    </>
  )
}

function drawnDays(days: Overview['days'], of: { readonly asOf: string; readonly language: string }) {
  const asOfMs = Date.parse(of.asOf)
  const offsetMs = dayOffsetMinutes(asOfMs) * 60_000
  const dayOf = (ms: number): number => Math.floor((ms + offsetMs) / DAY_MS)
  const first = dayOf(asOfMs) - DAYS + 1
  const costs = Array.from({ length: DAYS }, () => 0n)
  for (const { at, cost } of days) {
    const place = dayOf(Date.parse(at)) - first
    if (place in costs) costs[place] = nanoOf(cost)
  }
  const starts = costs.map((_, index) => (first + index) * DAY_MS - offsetMs)
  const names = bucketNames(starts, { by: 'day', language: of.language, timeZone: timeZoneHere() })
  return {
    bars: names.map((name, index) => ({ ...name, values: [costs[index] ?? 0n] })),
    scale: barScale(costs.reduce((most, cost) => (cost > most ? cost : most), 0n)),
  }
}
