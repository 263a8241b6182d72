import { useEffect, useState, type ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Input } from '../ui/input.tsx'
import type { TableState } from './use-table-state.ts'

const TYPING_MS = 250

/** Asks the server once the typing pauses. */
export function SearchField(props: {
  readonly label: string
  readonly state: Pick<TableState, 'search' | 'setSearch'>
}): ReactNode {
  const { label, state } = props
  const [text, setText] = useState(state.search)
  // The address may change by itself: back, forward, cleared filters.
  useEffect(() => {
    setText(state.search)
  }, [state.search])
  useEffect(() => {
    if (text === state.search) return
    const timer = setTimeout(() => state.setSearch(text), TYPING_MS)
    return () => clearTimeout(timer)
    // Only what is typed starts the wait; the state is a new object each time.
  }, [text])
  return (
    <div className="relative min-w-0 flex-1 sm:max-w-68 sm:basis-52">
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className="border-edge/55 pl-8"
      />
    </div>
  )
}
