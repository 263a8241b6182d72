import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { PATHS } from '../paths.ts'
import { hasShortcuts } from '../preferences.ts'
import { makeNew } from '../ui/new-action.ts'
import { openDialogs } from '../ui/use-dialog-stack.ts'
import { IS_MAC, shellActionOf } from './shell-keys.ts'
import type { ShellPart } from './shell-part.ts'

/** How long `g` waits for the key after it. */
const GO_MS = 1_500

/** What takes letters itself. */
const TAKES_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"]'

/** Deals with the keys that do something on every page, while the shell is there. */
export function useShellKeys(open: ShellPart | null, onOpen: (part: ShellPart | null) => void): void {
  const navigate = useNavigate()
  const goingUntilMs = useRef(0)
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    const { target } = event
    const isTyping = target instanceof Element && target.closest(TAKES_KEYS) !== null
    const isFree = !isTyping && openDialogs() === 0 && hasShortcuts()
    const isGoing = event.timeStamp < goingUntilMs.current
    goingUntilMs.current = 0
    const action = shellActionOf(event, { isMac: IS_MAC, isFree, isGoing })
    if (action === null) return
    event.preventDefault()
    switch (action.kind) {
      case 'palette':
        // What a dialog asks or shows is not left by a key: a secret may be in it.
        if (open === 'palette') onOpen(null)
        else if (openDialogs() === 0) onOpen('palette')
        return
      case 'shortcuts':
        return onOpen('shortcuts')
      case 'search':
        if (!focusSearch()) onOpen('palette')
        return
      case 'new':
        if (!makeNew()) void navigate({ to: PATHS.keys, search: { new: 'key' } })
        return
      case 'go':
        goingUntilMs.current = event.timeStamp + GO_MS
        return
      case 'page':
        return void navigate({ to: PATHS[action.page] })
    }
  }
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const end = new AbortController()
    addEventListener('keydown', (event) => latest.current(event), { signal: end.signal })
    return () => end.abort()
  }, [])
}

/** False: the page has no field to search in. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}
