import type { ReactNode } from 'react'
import PaletteWindow from './palette/palette-window.tsx'
import type { ShellPart } from './shell-part.ts'
import { ShortcutsWindow } from './shortcuts-window.tsx'

/** What opens in front of any page, one at a time. Loaded when the page has come to rest. */
export default function ShellParts(props: {
  readonly open: ShellPart | null
  onOpen(part: ShellPart | null): void
}): ReactNode {
  const { open, onOpen } = props
  const onClose = (): void => onOpen(null)
  return (
    <>
      <PaletteWindow isOpen={open === 'palette'} onClose={onClose} onOpen={onOpen} />
      <ShortcutsWindow isOpen={open === 'shortcuts'} onClose={onClose} />
    </>
  )
}
