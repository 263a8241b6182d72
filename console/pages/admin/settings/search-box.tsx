import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Input } from '../../../ui/input.tsx'

/** The field in which a page of settings is searched as it is typed into. */
export function SearchBox(props: {
  readonly label: string
  readonly value: string
  onValue(value: string): void
}): ReactNode {
  return (
    <div className="relative w-full sm:w-80">
      <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
      <Input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        value={props.value}
        onChange={(event) => props.onValue(event.currentTarget.value)}
        className="pl-8"
      />
    </div>
  )
}

/** Whether one of some texts has what was typed there in it. */
export function matching(typed: string): (...texts: readonly (string | null)[]) => boolean {
  const words = typed.trim().toLowerCase()
  return (...texts) => texts.some((text) => text !== null && text.toLowerCase().includes(words))
}
