import { useContext, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Select } from '../ui/select.tsx'
import type { Column } from './column.ts'
import { FilterLookContext } from './filter-look.ts'
import { SelectChip } from './select-chip.tsx'
import type { TableState } from './use-table-state.ts'

/** The order of a list that has no headers to click. */
export function SortSelect(props: {
  readonly state: Pick<TableState, 'sort' | 'setSort'>
  readonly columns: readonly Pick<Column<never>, 'header' | 'sort'>[]
}): ReactNode {
  const t = useSharedTexts()
  const look = useContext(FilterLookContext)
  const { sort, setSort } = props.state
  const choice = {
    options: props.columns.flatMap((column) => [
      { value: `${column.sort} asc`, label: t.table.sorted(column.header, t.table.ascending) },
      { value: `${column.sort} desc`, label: t.table.sorted(column.header, t.table.descending) },
    ]),
    value: `${sort.by} ${sort.order}`,
    onValue: (value: string) => {
      const [by = '', order] = value.split(' ')
      setSort({ by, order: order === 'asc' ? 'asc' : 'desc' })
    },
  }
  if (look === 'chip') return <SelectChip label={t.table.sortBy} {...choice} />
  return (
    <label className="grid gap-1 text-sm text-ink-3">
      {t.table.sortBy}
      <Select<string> {...choice} className="text-base text-ink" />
    </label>
  )
}
