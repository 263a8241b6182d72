import type { ReactNode } from 'react'
import type { TableState } from './use-table-state.ts'
import { Input } from '../ui/input.tsx'

/** A day that narrows a table. Taken over when the field is left, so that half a year is not taken for a date. */
export function DayFilter(props: {
  readonly state: TableState
  readonly name: string
  readonly label: string
}): ReactNode {
  const { state, name, label } = props
  const value = state.filters[name] ?? ''
  const take = (text: string): void => {
    if (text !== value) state.setFilter(name, text)
  }
  return (
    <label className="flex items-center gap-2 text-sm text-ink-3 max-sm:w-full max-sm:justify-between">
      {label}
      <Input
        type="date"
        key={value}
        defaultValue={value}
        className="w-40"
        onBlur={(event) => take(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
      />
    </label>
  )
}
