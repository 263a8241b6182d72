import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The button's name for screen readers, and its tooltip for all others. */
  readonly label: string
}

/** A button without a text. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps): ReactNode {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} aria-label={label} className={classNames(ICON_BUTTON, className)}>
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}

/** The looks of a button without a text, also for links that should look like one. */
export const ICON_BUTTON =
  'inline-flex size-8.5 compact:size-6.5 touch:size-11 shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors hover:not-disabled:bg-sunken hover:not-disabled:text-ink aria-expanded:bg-sunken aria-expanded:text-ink disabled:opacity-45'
