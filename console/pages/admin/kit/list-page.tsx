import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from '../../../table/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

/** What the dictionary of a page with a list has for it. */
export interface ListTexts {
  readonly title: string
  readonly lead?: string
  readonly search: string
  readonly empty: { readonly title: string; readonly text: ReactNode }
}

/** A page of one list: its head, the table, and what is shown where there is nothing yet. */
export function ListPage<Row>(
  props: Omit<DataTableProps<Row>, 'label' | 'title' | 'empty' | 'searchLabel'> & {
    readonly texts: ListTexts
    readonly icon: IconName
    readonly actions?: ReactNode
    /** What stands between the head and the table. */
    readonly notes?: ReactNode
    /** Further sections below the table. */
    readonly more?: ReactNode
  },
): ReactNode {
  const { texts, icon, actions, notes, more, ...table } = props
  // The first thing to do stands where the rows would be, and not twice.
  const isEmpty = table.page.data?.data.length === 0 && !table.state.isFiltered && table.state.cursor === null
  const list = (
    <DataTable
      {...table}
      label={texts.title}
      searchLabel={texts.search}
      empty={
        <EmptyState icon={icon} title={texts.empty.title} action={actions}>
          {texts.empty.text}
        </EmptyState>
      }
    />
  )
  return (
    <>
      <PageHeader
        title={texts.title}
        {...(texts.lead === undefined ? {} : { lead: texts.lead })}
        actions={isEmpty ? undefined : actions}
      />
      {notes}
      {more === undefined ? (
        list
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {list}
          {more}
        </div>
      )}
    </>
  )
}
