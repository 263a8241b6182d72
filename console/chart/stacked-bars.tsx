import uPlot from 'uplot'
import { useEffect, useRef, type ReactNode } from 'react'
import { usePreferences } from '../preferences.ts'
import { labelledBars } from './axis-steps.ts'
import { FULL_HEIGHT, heightOf } from './bar-scale.ts'
import type { BarChartProps } from './bars.ts'

/** uPlot's own style sheet is not loaded: these few rules are all of it that is needed here. */
const PLOT_RULES =
  'h-full w-full [&_.u-wrap]:relative [&_.u-over]:absolute [&_.u-under]:absolute [&_canvas]:block [&_canvas]:size-full [&_.u-select]:hidden [&_.u-legend]:hidden [&_.u-axis]:absolute'

const LABEL_PX = 64
/** Beside the bars, for the scale: at least this, and this beside its longest figure. */
const SCALE_PX = 62
const SCALE_GAP_PX = 12
const WIDEST_BAR_PX = 44
/** Narrower ones have no gap between their parts: it would be all that is seen of them. */
const NARROWEST_WITH_GAPS_PX = 10
/** What is little is still seen: three pixels or so. */
const LEAST_HEIGHT = FULL_HEIGHT / 75

/** The drawing itself, with uPlot on a canvas. Loaded when the first chart is shown. */
export default function StackedBars(props: BarChartProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const { theme } = usePreferences()
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const draw = (): void => {
      plot.current?.destroy()
      plot.current = drawPlot(element, latest)
    }
    draw()
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.current?.width) draw()
    })
    sizes.observe(element)
    const isDark = matchMedia('(prefers-color-scheme: dark)')
    isDark.addEventListener('change', draw)
    return () => {
      sizes.disconnect()
      isDark.removeEventListener('change', draw)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [props.bars, props.colours, props.scale, theme])
  useEffect(() => plot.current?.redraw(false, false), [props.active])
  return <div ref={frame} aria-hidden="true" className={PLOT_RULES} />
}

function drawPlot(element: HTMLElement, latest: { readonly current: BarChartProps }): uPlot {
  const { bars, colours, scale } = latest.current
  const paint = paintsOf(element)
  const places = bars.map(({ place }) => place)
  const hasGaps = element.clientWidth / bars.length >= NARROWEST_WITH_GAPS_PX
  const scalePx = scaleWidthPx(scale.ticks.map(latest.current.tickText), paint.font)
  const axis = { stroke: paint('--color-ink-3'), font: paint.font, ticks: { show: false }, gap: 6 }
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      padding: [10, 24, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.5, bars.length - 0.5] },
        y: { range: () => [0, FULL_HEIGHT] },
      },
      axes: [
        {
          ...axis,
          size: 26,
          grid: { show: false },
          splits: () => [...labelledBars(places, { widthPx: element.clientWidth - scalePx, labelPx: LABEL_PX })],
          values: (_self, shown) => shown.map((index) => bars[index]?.label ?? ''),
        },
        {
          ...axis,
          size: scalePx,
          grid: { stroke: paint('--color-line'), width: 1 },
          splits: () => scale.ticks.map((tick) => heightOf(tick, scale)),
          values: () => scale.ticks.map((tick) => latest.current.tickText(tick)),
        },
      ],
      series: [{}, ...seriesOf(colours.map(paint.colour), hasGaps ? paint('--color-surface') : null)],
      hooks: { drawClear: [(self) => shadeActive(self, latest.current.active, paint('--color-sunken'))] },
    },
    stackedData(latest.current),
    element,
  )
  plot.over.addEventListener('pointermove', (event) => latest.current.onActive(barUnder(plot, event)))
  plot.over.addEventListener('pointerleave', () => latest.current.onActive(null))
  // A finger has no other way to look at a bar than to touch it.
  plot.over.addEventListener('click', (event) => {
    if (event instanceof PointerEvent && event.pointerType === 'touch') latest.current.onActive(barUnder(plot, event))
    else latest.current.onChoose?.(barUnder(plot, event))
  })
  return plot
}

function scaleWidthPx(figures: readonly string[], font: string): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return SCALE_PX
  context.font = font
  return Math.max(SCALE_PX, ...figures.map((figure) => Math.ceil(context.measureText(figure).width) + SCALE_GAP_PX))
}

/** From the top series down, so that each is painted over the foot of the one above it. */
function seriesOf(colours: readonly string[], gap: string | null): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.72, WIDEST_BAR_PX], radius: 0 })
  const lines = gap === null ? { width: 0 } : { stroke: gap, width: 1 }
  return colours
    .map((fill) => ({ fill, ...lines, points: { show: false }, ...(paths === undefined ? {} : { paths }) }))
    .toReversed()
}

/** Each series as the height of all below it and itself; null where it adds nothing. */
function stackedData({ bars, colours, scale }: BarChartProps): uPlot.AlignedData {
  const stacked = colours.map((_, series) =>
    bars.map(({ values }) => {
      if ((values[series] ?? 0n) === 0n) return null
      const sum = values.slice(0, series + 1).reduce((total, value) => total + value, 0n)
      return Math.max(LEAST_HEIGHT, heightOf(sum, scale))
    }),
  )
  return [bars.map((_, index) => index), ...stacked.toReversed()]
}

function barUnder(plot: uPlot, { clientX }: MouseEvent): number {
  const box = plot.over.getBoundingClientRect()
  const count = plot.data[0].length
  return Math.max(0, Math.min(count - 1, Math.floor(((clientX - box.left) / box.width) * count)))
}

function shadeActive(plot: uPlot, active: number | null, colour: string): void {
  if (active === null) return
  const left = plot.valToPos(active - 0.5, 'x', true)
  const right = plot.valToPos(active + 0.5, 'x', true)
  plot.ctx.fillStyle = colour
  plot.ctx.fillRect(left, plot.bbox.top, right - left, plot.bbox.height)
}

interface Paints {
  /** A colour of the theme by its variable, in a form that a canvas reads. */
  (variable: string): string
  /** The same of any colour. Where the system forces its own colours this one stays, or all series were alike. */
  colour(css: string): string
  readonly font: string
}

function paintsOf(element: HTMLElement): Paints {
  const computedOf = (css: string, adjust: 'auto' | 'none'): string => {
    const probe = document.createElement('span')
    probe.style.color = css
    probe.style.setProperty('forced-color-adjust', adjust)
    element.append(probe)
    const computed = getComputedStyle(probe).color
    probe.remove()
    return computed
  }
  return Object.assign((variable: string) => computedOf(`var(${variable})`, 'auto'), {
    colour: (css: string) => computedOf(css, 'none'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
  })
}
