import { useRef, useState } from 'react'

/** Where the focus goes when a dialog closes; `true`: wherever the dialog thinks it was. */
export type FinalFocus = () => HTMLElement | true

/**
 * Remembers what had the focus when a dialog opened. To be asked where the dialog is declared: its window may be loaded
 * later, and a field in it that takes the focus by itself does so before the window looks around.
 */
export function useOpener(isOpen: boolean): FinalFocus {
  const opener = useRef<HTMLElement | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) opener.current = whatHasTheFocus()
  }
  return () => (opener.current?.isConnected === true ? opener.current : true)
}

/** A menu that was used is gone by then, so it is the button that opened it. */
function whatHasTheFocus(): HTMLElement | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role="menu"]')
  const opener = menu === null || menu === undefined ? focused : labelOf(menu)
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

function labelOf(menu: Element): Element | null {
  const id = menu.getAttribute('aria-labelledby')
  return id === null ? null : document.getElementById(id)
}
