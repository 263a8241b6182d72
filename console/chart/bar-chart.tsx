import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { labelledBars } from './axis-steps.ts'
import { heightOf } from './bar-scale.ts'
import { barShapes, PLOT_PX, yOf } from './bar-shapes.ts'
import type { BarChartProps } from './bars.ts'
import type { SeriesFill } from './series-colours.ts'

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 7,
  PageDown: -7,
}

/**
 * Stacked bars over time, of a fixed height, so that nothing moves when they come. To the keyboard and to those who cannot
 * see it, it is a slider over the bars that says each one's values.
 */
export function BarChart(props: BarChartProps): ReactNode {
  const last = props.bars.length - 1
  const active = props.active === null ? null : Math.min(props.active, last)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && active !== null) props.onChoose?.(active)
    if (event.key === 'Escape') props.onActive(null)
    const next = nextOf(event.key, active ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    props.onActive(next)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={active ?? last}
      aria-valuetext={props.barText(active ?? last)}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.target.matches(':focus-visible') && active === null && props.onActive(last)}
      onBlur={() => props.onActive(null)}
      style={{ height: (props.plotPx ?? PLOT_PX) + AROUND_PX }}
      className="w-full min-w-0 rounded-md"
    >
      <StackedBars {...props} active={active} />
    </div>
  )
}

function nextOf(key: string, here: number, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = STEPS[key]
  return step === undefined ? undefined : Math.max(0, Math.min(last, here + step))
}

/** What is above and below the bars. */
const AROUND_PX = 36
const LABEL_PX = 64
const LABEL_DROP_PX = 18

/** The drawing itself: one shape for each series, however many bars there are. */
function StackedBars(props: BarChartProps): ReactNode {
  const { bars, fills, scale, active, plotPx = PLOT_PX } = props
  const frame = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(frame)
  const id = useId()
  const shapes = useMemo(
    () => barShapes({ bars, fills, scale, plotPx }, widthPx),
    [bars, fills, scale, plotPx, widthPx],
  )
  const columnPx = widthPx / bars.length
  const places = bars.map(({ place }) => place)
  const barUnder = ({ clientX, currentTarget }: MouseEvent): number => {
    const box = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(bars.length - 1, Math.floor(((clientX - box.left) / box.width) * bars.length)))
  }
  const choose = (event: MouseEvent): void => {
    // A finger has no other way to look at a bar than to touch it.
    if (event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch') {
      props.onActive(barUnder(event))
    } else props.onChoose?.(barUnder(event))
  }
  return (
    <div aria-hidden="true" className="grid grid-cols-[minmax(3.875rem,auto)_minmax(0,1fr)] pt-2.5 text-xs text-ink-3">
      <Scale {...props} />
      <div
        ref={frame}
        className="mr-6"
        onPointerMove={(event) => props.onActive(barUnder(event))}
        onPointerLeave={() => props.onActive(null)}
        onClick={choose}
      >
        <svg width={widthPx} height={plotPx} className="pointer-events-none block overflow-visible">
          {active !== null && <rect x={active * columnPx} width={columnPx} height={plotPx} className="fill-sunken" />}
          {scale.ticks.map((tick) => (
            <path
              key={String(tick)}
              d={`M0 ${yOf(heightOf(tick, scale), plotPx)}H${widthPx}`}
              className="stroke-line"
            />
          ))}
          <FillPatterns id={id} fills={fills} />
          {shapes
            .map(({ series, path }) => (
              // Where the system forces its own colours these stay, or all series were alike.
              <path
                key={series}
                d={path}
                fill={fills[series]?.look === 'plain' ? fills[series].colour : `url(#${id}${series})`}
                className="forced-color-adjust-none"
              />
            ))
            .toReversed()}
          {labelledBars(places, { widthPx, labelPx: LABEL_PX }).map((index) => (
            <text
              key={index}
              x={(index + 0.5) * columnPx}
              y={plotPx + LABEL_DROP_PX}
              textAnchor="middle"
              className="fill-current"
            >
              {bars[index]?.label}
            </text>
          ))}
        </svg>
      </div>
    </div>
  )
}

const STRIPE_PX = 6

/** What fills the series that are not plain: stripes of paper over the colour, or lines of it on a breath of itself. */
function FillPatterns({ id, fills }: { readonly id: string; readonly fills: readonly SeriesFill[] }): ReactNode {
  return (
    <defs>
      {fills.map(({ colour, look }, series) =>
        look === 'plain' ? null : (
          <pattern
            key={series}
            id={`${id}${series}`}
            width={STRIPE_PX}
            height={STRIPE_PX}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={STRIPE_PX} height={STRIPE_PX} className="fill-surface" />
            <rect width={STRIPE_PX} height={STRIPE_PX} fill={colour} opacity={look === 'striped' ? 1 : 0.25} />
            <path
              d={`M1 0V${STRIPE_PX}`}
              strokeWidth={2}
              stroke={look === 'striped' ? undefined : colour}
              className={look === 'striped' ? 'stroke-surface' : undefined}
            />
          </pattern>
        ),
      )}
    </defs>
  )
}

/** The figures beside the bars, as wide as the longest: the middle of each is on its line. */
function Scale({ scale, tickText, plotPx = PLOT_PX }: BarChartProps): ReactNode {
  return (
    <div style={{ height: plotPx }} className="relative grid grid-cols-1 pr-1.5 text-right">
      {scale.ticks.map((tick) => (
        <span
          key={String(tick)}
          style={{ top: yOf(heightOf(tick, scale), plotPx) }}
          className="relative col-start-1 row-start-1 h-0 leading-0 whitespace-nowrap"
        >
          {tickText(tick)}
        </span>
      ))}
    </div>
  )
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    // It calls back before the first paint as well, when the browser has laid the page out anyway.
    const sizes = new ResizeObserver(() => flushSync(() => setWidthPx(element.clientWidth)))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [frame])
  return widthPx
}
