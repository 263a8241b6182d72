import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Select, type SelectOption } from '../ui/select.tsx'
import type { TableState } from './use-table-state.ts'

/** A filter of a table with a few values. `name` is the API's; `label` is said before the value. */
export function FilterSelect(props: {
  readonly state: TableState
  readonly name: string
  readonly label: string
  readonly options: readonly SelectOption[]
}): ReactNode {
  const t = useSharedTexts()
  return (
    <Select<string>
      aria-label={props.label}
      className="min-w-32 max-sm:flex-1 sm:max-lg:max-w-44"
      value={props.state.filters[props.name] ?? ''}
      onValue={(value) => props.state.setFilter(props.name, value)}
      options={[
        { value: '', label: t.labelled(props.label, t.table.all) },
        ...props.options.map((option) => ({ ...option, label: t.labelled(props.label, option.label) })),
      ]}
    />
  )
}
