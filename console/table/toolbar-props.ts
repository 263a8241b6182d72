import type { ReactNode } from 'react'
import type { Download } from '../ui/download.ts'
import type { Column } from './column.ts'
import type { ShownColumns } from './use-shown-columns.ts'
import type { TableState } from './use-table-state.ts'

/** What the bar above a table is given, on wide windows and on phones. */
export interface ToolbarProps {
  readonly title: string | undefined
  readonly state: TableState
  readonly columns: ShownColumns<unknown>
  /** Columns to sort by on phones, where no header can be clicked. */
  readonly sortable: readonly Pick<Column<never>, 'header' | 'sort'>[]
  readonly searchLabel: string | null
  readonly filters: ReactNode
  readonly download: Download | undefined
  readonly isFetching: boolean
  onRefresh(): void
}
