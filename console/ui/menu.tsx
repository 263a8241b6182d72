import { cloneElement, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { lazyPart } from './lazy-part.tsx'

const MenuPopup = lazyPart(() => import('./menu-popup.tsx'))

interface TriggerProps {
  readonly onClick?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onPointerEnter?: () => void
  readonly onFocus?: () => void
  readonly ref?: unknown
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
}

/**
 * What can be done with something, behind one button. `trigger`: a `Button`, `IconButton` or `<button>` element. The
 * items (`menu-items.tsx`) exist only while it is open, so that a table can have one in each row.
 */
export function Menu(props: {
  readonly trigger: ReactElement<TriggerProps>
  readonly align?: 'start' | 'end'
  readonly side?: 'bottom' | 'top'
  /** Fetches its items, when the button is under the pointer or has the focus. */
  onNear?(): void
  readonly children: ReactNode
}): ReactNode {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const open = (): void => {
    setWasOpen(true)
    setOpen(true)
  }
  const near = (): void => {
    MenuPopup.load()
    props.onNear?.()
  }
  return (
    <>
      {cloneElement(props.trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onPointerEnter: near,
        onFocus: near,
        onClick: () => (isOpen ? setOpen(false) : open()),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open()
        },
      })}
      {wasOpen && (
        <MenuPopup
          isOpen={isOpen}
          onOpen={setOpen}
          onGone={() => setWasOpen(false)}
          anchor={anchor}
          align={props.align ?? 'end'}
          side={props.side ?? 'bottom'}
        >
          {props.children}
        </MenuPopup>
      )}
    </>
  )
}
