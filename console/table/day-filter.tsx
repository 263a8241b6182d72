import { useContext, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { Input } from '../ui/input.tsx'
import { FilterLookContext } from './filter-look.ts'
import type { TableState } from './use-table-state.ts'

/** A day that narrows a table. Taken over when the field is left, so that half a year is not taken for a date. */
export function DayFilter(props: {
  readonly state: TableState
  readonly name: string
  readonly label: string
}): ReactNode {
  const { state, name, label } = props
  const isChip = useContext(FilterLookContext) === 'chip'
  const value = state.filters[name] ?? ''
  const take = (text: string): void => {
    if (text !== value) state.setFilter(name, text)
  }
  return (
    <label className={classNames('text-sm text-ink-3', isChip ? 'flex items-center gap-2' : 'grid flex-1 gap-1')}>
      {label}
      <Input
        type="date"
        key={value}
        defaultValue={value}
        className={isChip ? 'w-40 border-edge/55' : 'text-ink'}
        onBlur={(event) => take(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
      />
    </label>
  )
}
