import { useContext, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Select, type SelectOption } from '../ui/select.tsx'
import { FilterLookContext } from './filter-look.ts'
import { SelectChip } from './select-chip.tsx'
import type { TableState } from './use-table-state.ts'

/** A filter of a table with a few values. `name` is the API's. */
export function FilterSelect(props: {
  readonly state: TableState
  readonly name: string
  readonly label: string
  readonly options: readonly SelectOption[]
}): ReactNode {
  const t = useSharedTexts()
  const look = useContext(FilterLookContext)
  const { state, name, label, options } = props
  const value = state.filters[name] ?? ''
  // What the address sets may be none of the choices, or they are on their way.
  const isKnown = value === '' || options.some((option) => option.value === value)
  const choices = [{ value: '', label: t.table.all }, ...(isKnown ? [] : [{ value, label: value }]), ...options]
  const choice = { value, options: choices, onValue: (next: string) => state.setFilter(name, next) }
  if (look === 'chip') return <SelectChip label={label} {...choice} onClear={() => state.setFilter(name, '')} />
  return (
    <label className="grid gap-1 text-sm text-ink-3">
      {label}
      <Select<string> {...choice} className="text-base text-ink" />
    </label>
  )
}
