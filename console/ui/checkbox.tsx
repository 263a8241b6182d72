import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange' | 'children'> {
  readonly checked: boolean
  onChecked(checked: boolean): void
  /** Some, but not all, of what it stands for. */
  readonly isPartly?: boolean
  readonly children?: ReactNode
  readonly hint?: ReactNode
}

/** Yes or no, taken with the rest of the form. Without `children` it needs an `aria-label`. */
export function Checkbox(props: CheckboxProps): ReactNode {
  const { checked, onChecked, isPartly = false, children, hint, className, ...rest } = props
  const box = (
    <input
      {...rest}
      type="checkbox"
      checked={checked}
      ref={(element) => {
        if (element !== null) element.indeterminate = isPartly && !checked
      }}
      onChange={(event) => onChecked(event.currentTarget.checked)}
      className="size-4 shrink-0"
    />
  )
  if (children === undefined) {
    return (
      <label
        className={classNames(
          'inline-flex size-8 compact:size-6.5 touch:size-11 items-center justify-center',
          className,
        )}
      >
        {box}
      </label>
    )
  }
  return (
    <label className={classNames('flex min-h-8 touch:min-h-11 items-start gap-2.5 py-1.5 touch:py-3', className)}>
      <span className="flex h-5.5 items-center">{box}</span>
      <span className="min-w-0">
        {children}
        {hint !== undefined && <span className="block text-sm text-ink-3">{hint}</span>}
      </span>
    </label>
  )
}
