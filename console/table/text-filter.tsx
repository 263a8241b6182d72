import type { ReactNode } from 'react'
import { Input } from '../ui/input.tsx'
import type { TableState } from './use-table-state.ts'

/** A filter of a table that is typed. Taken over when the field is left or with Enter, so that nothing half is asked for. */
export function TextFilter(props: {
  readonly state: TableState
  /** As the API calls it. */
  readonly name: string
  readonly label: string
}): ReactNode {
  const { state, name, label } = props
  const value = state.filters[name] ?? ''
  const take = (text: string): void => {
    if (text.trim() !== value) state.setFilter(name, text.trim())
  }
  return (
    <Input
      type="text"
      key={value}
      defaultValue={value}
      maxLength={200}
      aria-label={label}
      placeholder={label}
      className="w-full sm:w-48"
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
    />
  )
}
