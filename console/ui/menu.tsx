import {
  cloneElement,
  lazy,
  Suspense,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'

const load = () => import('./menu-popup.tsx')
const MenuPopup = lazy(load)

interface TriggerProps {
  readonly onClick?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onPointerEnter?: () => void
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
  readonly children: ReactNode
}): ReactNode {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const open = (): void => {
    setWasOpen(true)
    setOpen(true)
  }
  return (
    <>
      {cloneElement(props.trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onPointerEnter: () => void load(),
        onClick: () => (isOpen ? setOpen(false) : open()),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open()
        },
      })}
      {wasOpen && (
        <Suspense>
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
        </Suspense>
      )}
    </>
  )
}
