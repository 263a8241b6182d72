import { Menu as Base } from '@base-ui/react/menu'
import { useState, type ReactNode, type RefObject } from 'react'
import { landmarkOf } from './landmark.ts'
import { openDialogs } from './use-dialog-stack.ts'

/** The list of a `Menu`, loaded when the first is opened. */
export default function MenuPopup(props: {
  readonly isOpen: boolean
  onOpen(isOpen: boolean): void
  /** Called when the menu has closed and faded. */
  onGone(): void
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly align: 'start' | 'end'
  readonly side: 'bottom' | 'top'
  readonly children: ReactNode
}): ReactNode {
  const [dialogsBefore] = useState(openDialogs)
  return (
    <Base.Root
      open={props.isOpen}
      onOpenChange={(isOpen, details) => {
        // The button that opened it closes it by itself.
        const target = details.event.target
        if (details.reason === 'outside-press' && target instanceof Node && props.anchor.current?.contains(target))
          return
        props.onOpen(isOpen)
      }}
      onOpenChangeComplete={(isOpen) => !isOpen && props.onGone()}
    >
      {/* Its place in a bar or a grid would move what stands there. */}
      <Base.Portal container={landmarkOf(props.anchor.current)} className="contents">
        <Base.Positioner
          anchor={props.anchor}
          sideOffset={4}
          align={props.align}
          side={props.side}
          className="z-50 outline-none"
        >
          <Base.Popup
            // A dialog that was chosen from it has taken the focus.
            finalFocus={() => (openDialogs() > dialogsBefore ? false : props.anchor.current)}
            aria-label={nameOf(props.anchor.current)}
            className="popup max-h-(--available-height) min-w-44 overflow-y-auto p-1"
          >
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** What the button is called names its list, too: its label, else the first of its words. */
function nameOf(button: HTMLButtonElement | null): string {
  return button?.getAttribute('aria-label') ?? button?.querySelector('span')?.textContent ?? ''
}
