import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

export interface SelectOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
  readonly isDisabled?: boolean
}

export interface SelectChoice<Value extends string> {
  readonly options: readonly SelectOption<NoInfer<Value>>[]
  readonly value: Value
  onValue(value: NoInfer<Value>): void
}

type SelectProps<Value extends string> = SelectChoice<Value> &
  Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'>

/** One of a few. The browser's own, which phones show best and every assistive program knows. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { options, value, onValue, className, ...rest } = props
  return (
    <div className={classNames('relative', className)}>
      <select
        {...rest}
        value={value}
        className="control appearance-none truncate pr-8"
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-3" />
    </div>
  )
}
