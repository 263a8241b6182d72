import { useContext, type ReactNode, useId } from 'react'
import { nameOf } from '../format/name-of.ts'
import { Input } from '../ui/input.tsx'
import { FilterLookContext } from './filter-look.ts'
import type { TableState } from './use-table-state.ts'

/** A filter of a table that is typed. Taken over when the field is left or with Enter, so that nothing half is asked for. */
export function TextFilter(props: {
  readonly state: TableState
  /** The filter's name in the API. */
  readonly name: string
  readonly label: string
  /** What some values are called: they are offered, shown and taken by that. */
  readonly named?: Readonly<Record<string, string>>
}): ReactNode {
  const { state, name, label, named = {} } = props
  const look = useContext(FilterLookContext)
  const listId = useId()
  const value = state.filters[name] ?? ''
  const take = (text: string): void => {
    const wanted = valueNamed(text.trim(), named)
    if (wanted !== value) state.setFilter(name, wanted)
  }
  const names = Object.values(named)
  const input = (
    <Input
      type="text"
      key={value}
      defaultValue={nameOf(value, named)}
      list={names.length === 0 ? undefined : listId}
      maxLength={200}
      aria-label={label}
      placeholder={look === 'chip' ? label : undefined}
      className={look === 'chip' ? 'w-44 border-edge/55' : 'text-base text-ink'}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
    />
  )
  return (
    <>
      {look === 'chip' ? (
        input
      ) : (
        <div className="grid gap-1 text-sm text-ink-3">
          <span aria-hidden="true">{label}</span>
          {input}
        </div>
      )}
      {names.length > 0 && (
        <datalist id={listId}>
          {names.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** The value that is called so, in whichever case it is written, or the text itself. */
function valueNamed(text: string, named: Readonly<Record<string, string>>): string {
  const found = Object.entries(named).find(([, called]) => called.toLowerCase() === text.toLowerCase())
  return found?.[0] ?? text
}
