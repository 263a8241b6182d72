import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface RadioCard<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
  readonly detail?: ReactNode
  readonly isDisabled?: boolean
}

/** One of a few, each with room to say what it means. `columns` on a wide screen; on a phone they stand one below the other. */
export function RadioCards<Value extends string>(props: {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly name: string
  readonly options: readonly RadioCard<NoInfer<Value>>[]
  readonly value: Value | null
  onValue(value: NoInfer<Value>): void
  readonly columns?: 1 | 2 | 3
}): ReactNode {
  const columns = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' }[props.columns ?? 2]
  return (
    <fieldset className="min-w-0">
      <legend className={props.isLabelHidden === true ? 'sr-only' : 'mb-1.5 font-medium'}>{props.label}</legend>
      <div className={classNames('grid gap-2', columns)}>
        {props.options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'flex min-h-11 items-start gap-2.5 rounded-lg border border-line bg-surface px-3 py-2.5 transition-colors',
              'hover:border-edge has-checked:border-accent has-checked:bg-accent-soft',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              option.isDisabled === true && 'cursor-not-allowed text-ink-3',
            )}
          >
            <input
              type="radio"
              name={props.name}
              value={option.value}
              checked={props.value === option.value}
              disabled={option.isDisabled}
              onChange={() => props.onValue(option.value)}
              className="mt-0.75 size-4 shrink-0 outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">{option.label}</span>
              {option.detail !== undefined && <span className="block text-sm text-ink-2">{option.detail}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
