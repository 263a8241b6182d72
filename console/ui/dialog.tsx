import { useState, type ReactNode } from 'react'
import type { ConfirmDialogProps, DialogProps } from './dialog-parts.tsx'
import { lazyPart } from './lazy-part.tsx'
import { useOpener } from './use-opener.ts'

const load = () => import('./dialog-window.tsx')
const DialogWindow = lazyPart(async () => ({ default: (await load()).DialogWindow }))
const DrawerWindow = lazyPart(async () => ({ default: (await load()).DrawerWindow }))
const ConfirmWindow = lazyPart(async () => ({ default: (await load()).ConfirmWindow }))

/** A matter of its own in front of the page: a sheet from below on phones, a window elsewhere. */
export function Dialog(props: DialogProps): ReactNode {
  const finalFocus = useOpener(props.isOpen)
  return (
    <OnceOpen isOpen={props.isOpen}>
      <DialogWindow {...props} finalFocus={finalFocus} />
    </OnceOpen>
  )
}

/** A dialog at the side, over the height of the window: details of one thing of a list. */
export function Drawer(props: Omit<DialogProps, 'size'>): ReactNode {
  const finalFocus = useOpener(props.isOpen)
  return (
    <OnceOpen isOpen={props.isOpen}>
      <DrawerWindow {...props} finalFocus={finalFocus} />
    </OnceOpen>
  )
}

/** A question before something that cannot be undone. A click beside it does not answer it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const finalFocus = useOpener(props.isOpen)
  return (
    <OnceOpen isOpen={props.isOpen}>
      <ConfirmWindow {...props} finalFocus={finalFocus} />
    </OnceOpen>
  )
}

/** Nothing of it is there before it is opened; after that it stays, so that it can fade. */
function OnceOpen({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }): ReactNode {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return wasOpen ? children : null
}
