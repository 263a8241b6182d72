import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** One of a few, side by side in one frame. A group of radio buttons for screen readers. */
export function Segments<Value extends string>(props: {
  readonly label: string
  readonly options: readonly {
    readonly value: Value
    readonly label: string
    readonly isDisabled?: boolean
    readonly whyDisabled?: string
  }[]
  readonly value: Value
  onValue(value: Value): void
  readonly className?: string
}): ReactNode {
  const name = useId()
  return (
    <fieldset className={classNames('flex min-w-0', props.className)}>
      <legend className="sr-only">{props.label}</legend>
      <div className="flex w-full rounded-md border border-line bg-sunken p-0.5">
        {props.options.map((option) => (
          <label
            key={option.value}
            className="relative flex min-h-7.5 touch:min-h-10 flex-1 items-center justify-center rounded-sm border border-transparent px-2.5 text-ink-2 transition-colors hover:text-ink has-checked:border-line has-checked:bg-surface has-checked:font-medium has-checked:text-ink forced-colors:has-checked:outline-2 forced-colors:has-checked:outline-[Highlight] has-disabled:opacity-55 has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={props.value === option.value}
              disabled={option.isDisabled}
              // It covers the label, and has its title read aloud, too.
              title={option.isDisabled === true ? option.whyDisabled : undefined}
              onChange={() => props.onValue(option.value)}
              className="absolute inset-0 size-full appearance-none rounded-sm outline-none"
            />
            <span className="truncate">{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
