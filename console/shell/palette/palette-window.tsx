import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect, useRef, type ReactNode } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useDialogStack } from '../../ui/use-dialog-stack.ts'
import { useOpener } from '../../ui/use-opener.ts'
import type { ShellPart } from '../shell-part.ts'
import type { Command } from './command.ts'
import { PaletteBox } from './palette-box.tsx'

/** One box that leads everywhere: pages, keys, models, actions, and why something failed. Loaded when it is wanted. */
export default function PaletteWindow(props: {
  readonly isOpen: boolean
  onClose(): void
  onOpen(part: ShellPart): void
}): ReactNode {
  const { isOpen, onClose } = props
  const t = useShellTexts().palette
  const isOnTop = useDialogStack(isOpen)
  const openerOf = useOpener(isOpen)
  const chosen = useRef<Command>(null)
  const input = useRef<HTMLInputElement>(null)
  const finalFocus = (): HTMLElement | boolean =>
    (chosen.current?.focus ?? 'opener') === 'opener' ? openerOf() : false
  const later = useRef<Command>(null)
  useEffect(() => {
    if (isOpen) chosen.current = null
  }, [isOpen])
  const run = (command: Command): void => {
    chosen.current = command
    onClose()
    // As long as the palette is there, nothing behind it takes the focus.
    if (command.focus === 'own') later.current = command
    else command.run()
  }
  const onGone = (): void => {
    later.current?.run()
    later.current = null
    // Given to the window as what gets the focus, the page would lose it to the first link in it.
    if (chosen.current?.focus === 'page') document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next) => !next && isOnTop() && onClose()}
      onOpenChangeComplete={(next) => !next && onGone()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-[oklch(0.15_0.02_220/0.45)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-start justify-center sm:px-4 sm:pt-[12dvh]">
          <Base.Popup
            initialFocus={input}
            finalFocus={finalFocus}
            className="popup flex max-h-dvh w-full flex-col overflow-hidden rounded-none sm:max-h-[70dvh] sm:max-w-xl sm:rounded-lg"
          >
            <Base.Title className="sr-only">{t.title}</Base.Title>
            <PaletteBox input={input} onRun={run} onOpen={props.onOpen} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
