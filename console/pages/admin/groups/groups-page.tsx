import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { groupsUseQuery } from '../../../api/group-admin.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useMay } from '../../../api/use-may.ts'
import { groupsDictionary } from '../../../dictionaries/groups.ts'
import { longestPlaces } from '../../../format/money.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { pageAt } from '../../../table/page-at.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { NotRead } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { type ListedGroup, useGroupColumns } from './group-columns.tsx'

const GroupDialogs = lazyPart(() => import('./group-dialogs.tsx'))

/** What keys belong to: who may use each group, at what multiple, and what it brought of late. */
export default function GroupsPage(): ReactNode {
  const t = groupsDictionary.useTexts()
  const table = useTableState({ filters: [], sort: { by: 'name', order: 'asc' } })
  const groups = useQuery(groupsQuery)
  const use = useQuery(groupsUseQuery)
  const { data: uses } = use
  const [flat, open] = useFlatSearch()
  const { new: isNew, edit, copy, disable, delete: deleted, ...others } = flat
  const onStep = (step: 'edit' | 'copy' | 'disable' | 'delete', { id }: GroupView): void =>
    open({ ...others, [step]: id })
  const columns = useGroupColumns(onStep, longestPlaces([...(uses?.values() ?? [])].map(({ charged }) => charged)))
  const mayChange = useMay('catalogue')
  const words = table.search.toLowerCase()
  const rows = groups.data?.data
    .filter(({ name }) => name.toLowerCase().includes(words))
    .map((group) => ({ group, use: uses?.get(group.id) ?? null }))
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'group' })}>
              {t.new}
            </Button>
          )
        }
      />
      {groups.error === null && <NotRead query={use} />}
      <DataTable
        name="groups"
        label={t.title}
        columns={columns}
        state={table}
        page={{ ...groups, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ group }) => group.id}
        rowName={({ group }) => group.name}
        {...(mayChange ? { onOpen: ({ group }: ListedGroup) => onStep('edit', group) } : {})}
        download={{ path: '/api/groups', query: { search: table.search } }}
        searchLabel={t.search}
        empty={
          <EmptyState icon="filter" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      {mayChange && groups.data !== undefined && (
        <GroupDialogs
          groups={groups.data.data}
          uses={uses ?? null}
          wish={{ isNew: isNew !== undefined, edit, copy, disable, delete: deleted }}
          onClose={() => open(others)}
        />
      )}
    </>
  )
}
