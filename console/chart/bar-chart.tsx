import type { KeyboardEvent, ReactNode } from 'react'
import type { BarChartProps } from './bars.ts'
import { StackedBars } from './stacked-bars.tsx'

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
      className="h-64 w-full min-w-0 rounded-md"
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
