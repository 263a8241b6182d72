import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const NEAR_SHARE = 0.8

/**
 * How much of a limit is used, as a bar. `share` from 0 to 1, `label` says what of. The amounts stand beside it as text, so that
 * readers of the screen hear them once and the share here.
 */
export function Meter(props: { readonly share: number; readonly label: string }): ReactNode {
  const share = Math.min(1, Math.max(0, props.share))
  const colour = share >= 1 ? 'bg-bad' : share >= NEAR_SHARE ? 'bg-brass' : 'bg-accent'
  return (
    <div
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={`${Math.round(share * 100)} %`}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line forced-colors:outline-1 forced-colors:outline-[CanvasText]"
    >
      <div
        className={classNames('h-full rounded-full forced-colors:bg-[Highlight] forced-color-adjust-none', colour)}
        // What is little is still seen.
        style={{ width: `${share === 0 ? 0 : Math.max(2, share * 100)}%` }}
      />
    </div>
  )
}

/** A meter below its name and its amounts, which are read aloud by the meter alone. */
export function NamedMeter(props: { readonly name: string; readonly text: string; readonly share: number }): ReactNode {
  return (
    <>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{props.name}</span>
        <span aria-hidden="true" className="text-ink-2">
          {props.text}
        </span>
      </div>
      <Meter share={props.share} label={props.name} />
    </>
  )
}
