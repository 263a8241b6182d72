import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

/** Does something. */
export function MenuItem(props: {
  readonly icon?: IconName
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  onSelect(): void
  readonly children: ReactNode
}): ReactNode {
  return (
    <Base.Item
      disabled={props.isDisabled ?? false}
      onClick={props.onSelect}
      className={classNames(ITEM, props.isDangerous === true && 'text-bad')}
    >
      {props.icon !== undefined && <Icon name={props.icon} className="opacity-80" />}
      {props.children}
    </Base.Item>
  )
}

/** Goes somewhere. `link`: a `Link` of the router, or an `<a>`. */
export function MenuLink(props: {
  readonly icon?: IconName
  readonly link: ReactElement
  readonly children: ReactNode
}): ReactNode {
  return (
    <Base.LinkItem render={props.link} closeOnClick className={ITEM}>
      {props.icon !== undefined && <Icon name={props.icon} className="opacity-80" />}
      {props.children}
    </Base.LinkItem>
  )
}

/** One of a few, in force at once. */
export function MenuChoice<Value extends string>(props: {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[]
  readonly value: Value
  onValue(value: Value): void
}): ReactNode {
  return (
    <MenuGroup label={props.label}>
      <Base.RadioGroup value={props.value} onValueChange={(value: Value) => props.onValue(value)}>
        {props.options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} lang={option.lang} className={ITEM}>
            <span className="w-4">
              <Base.RadioItemIndicator>
                <Icon name="check" className="text-accent" />
              </Base.RadioItemIndicator>
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </MenuGroup>
  )
}

/** Items that belong together, below what they are called. */
export function MenuGroup(props: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-2 pb-0.5 text-xs text-ink-3">{props.label}</Base.GroupLabel>
      {props.children}
    </Base.Group>
  )
}

/** A yes or no that leaves the menu open. */
export function MenuCheck(props: {
  readonly checked: boolean
  onChecked(checked: boolean): void
  readonly children: ReactNode
}): ReactNode {
  return (
    <Base.CheckboxItem checked={props.checked} onCheckedChange={props.onChecked} closeOnClick={false} className={ITEM}>
      <span className="w-4">
        <Base.CheckboxItemIndicator>
          <Icon name="check" className="text-accent" />
        </Base.CheckboxItemIndicator>
      </span>
      {props.children}
    </Base.CheckboxItem>
  )
}

export function MenuLine(): ReactNode {
  return <Base.Separator className="my-1 h-px bg-line" />
}

const ITEM =
  'flex min-h-8.5 touch:min-h-11 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left outline-none data-disabled:opacity-50 data-highlighted:bg-accent-soft'
