import { type ComponentProps, type ReactNode, useContext } from 'react'
import { classNames } from './class-names.ts'
import { FormContext } from './dialog-parts.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Spinner } from './spinner.tsx'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly look?: ButtonLook
  readonly icon?: IconName | undefined
  /** Shows that it works, keeps its width, and takes no second click. It stays focusable, so that focus is not lost. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** A button with a text. Its type is `button` unless said otherwise, so that it sends no form by accident. */
export function Button({
  look = 'secondary',
  icon,
  isBusy = false,
  children,
  className,
  ...rest
}: ButtonProps): ReactNode {
  const form = useContext(FormContext)
  return (
    <button
      type="button"
      form={rest.type === 'submit' ? form : undefined}
      {...rest}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || rest['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
      className={buttonClass(look, className)}
    >
      {isBusy ? <Spinner /> : icon === undefined ? null : <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** The looks of a button, also for links that should look like one. */
export function buttonClass(look: ButtonLook, more?: string): string {
  return classNames(
    'inline-flex min-h-8.5 touch:min-h-11 items-center justify-center gap-2 rounded-md border px-3 py-1 text-center',
    'font-medium select-none transition-colors disabled:opacity-55',
    LOOKS[look],
    more,
  )
}

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  primary: 'border-transparent bg-accent text-accent-ink hover:not-disabled:bg-accent-hover',
  secondary: 'border-edge/60 bg-surface text-ink hover:not-disabled:border-edge hover:not-disabled:bg-sunken',
  quiet: 'border-transparent text-ink-2 hover:not-disabled:bg-sunken hover:not-disabled:text-ink',
  danger: 'border-transparent bg-bad text-bad-ink hover:not-disabled:opacity-90',
}
