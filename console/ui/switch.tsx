import { useId, useState, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A switch that takes effect at once. Its label is always seen. */
export function Switch(props: {
  readonly checked: boolean
  /** What was chosen is shown from the first moment until this has settled; it never rejects. */
  onChecked(checked: boolean): void | Promise<unknown>
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isDisabled?: boolean
}): ReactNode {
  const hintId = useId()
  // Not as an optimistic state: all transitions, as navigation is one, would wait for it.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const choose = async (next: boolean): Promise<void> => {
    setChosen(next)
    try {
      await props.onChecked(next)
    } finally {
      setChosen(null)
    }
  }
  return (
    <label
      className={classNames(
        'flex min-h-8.5 touch:min-h-11 items-start justify-between gap-4 py-1.5',
        props.isDisabled === true && 'cursor-not-allowed text-ink-3',
      )}
    >
      <span className="min-w-0">
        <span className="block font-medium">{props.label}</span>
        {props.hint !== undefined && (
          <span id={hintId} className="block text-sm font-normal text-ink-3">
            {props.hint}
          </span>
        )}
      </span>
      <span className="relative mt-0.5 inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          checked={chosen ?? props.checked}
          disabled={props.isDisabled}
          aria-describedby={props.hint === undefined ? undefined : hintId}
          onChange={(event) => void choose(event.currentTarget.checked)}
          className="peer h-5 w-9 appearance-none rounded-full border border-edge bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:opacity-50"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0.75 left-0.75 size-3.5 rounded-full bg-edge transition-transform peer-checked:translate-x-4 peer-checked:bg-accent-ink"
        />
      </span>
    </label>
  )
}
