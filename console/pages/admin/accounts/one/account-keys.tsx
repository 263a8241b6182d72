import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { ApiKeyView } from '../../../../../src/contract/keys.ts'
import { keysQuery } from '../../../../api/keys.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { longestPlaces } from '../../../../format/money.ts'
import type { Column } from '../../../../table/column.ts'
import { DataTable } from '../../../../table/data-table.tsx'
import { FilterSelect } from '../../../../table/filter-select.tsx'
import { useTableState } from '../../../../table/use-table-state.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../../ui/relative-time.tsx'
import { ExpiryCell, GroupCell, LimitsCell, NameCell, SpendCell, StatusCell } from '../../../keys/key-cells.tsx'

const SHAPE = { filters: ['status'], sort: { by: 'created_at', order: 'desc' } } as const
const STATUSES: readonly ApiKeyView['status'][] = ['active', 'disabled', 'expired', 'quota_exhausted']

/** The keys of one account; each has a page of its own. */
export default function AccountKeys({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount')
  const texts = useTexts('keys')
  const table = useTableState(SHAPE)
  const page = useQuery(keysQuery({ ...table.query, account_id: account.id }))
  const columns = useColumns(longestPlaces((page.data?.data ?? []).map(({ spent }) => spent)))
  return (
    <DataTable
      name="account-keys"
      label={t.tabs.keys}
      columns={columns}
      state={table}
      page={page}
      rowId={(key) => key.id}
      rowName={(key) => key.name}
      download={{
        path: '/api/keys',
        query: { ...table.query, cursor: undefined, account_id: account.id },
      }}
      searchLabel={t.keys.search}
      filters={
        <FilterSelect
          state={table}
          name="status"
          label={texts.columns.status}
          options={STATUSES.map((status) => ({ value: status, label: texts.statuses[status] }))}
        />
      }
      empty={<EmptyState icon="key" title={t.keys.empty} />}
    />
  )
}

/** `places`: of the longest amount that was spent, on the page. */
function useColumns(places: number): readonly Column<ApiKeyView>[] {
  const t = useTexts('keys')
  return useMemo(
    (): readonly Column<ApiKeyView>[] => [
      { id: 'name', header: t.columns.name, role: 'title', sort: 'name', cell: (key) => <NameCell apiKey={key} /> },
      { id: 'status', header: t.columns.status, cell: (key) => <StatusCell apiKey={key} /> },
      { id: 'group', header: t.columns.group, cell: (key) => <GroupCell apiKey={key} /> },
      {
        id: 'spent',
        header: t.columns.spent,
        sort: 'spent',
        sortsFirst: 'desc',
        align: 'end',
        cell: (key) => <SpendCell apiKey={key} places={places} />,
      },
      {
        id: 'last_used_at',
        header: t.columns.lastUsed,
        sort: 'last_used_at',
        sortsFirst: 'desc',
        cell: (key) => <RelativeTime time={key.last_used_at} never={t.neverUsed} />,
      },
      {
        id: 'expires_at',
        header: t.columns.expires,
        sort: 'expires_at',
        sortsFirst: 'desc',
        cell: (key) => <ExpiryCell apiKey={key} />,
      },
      { id: 'limits', header: t.columns.limits, isHiddenAtFirst: true, cell: (key) => <LimitsCell apiKey={key} /> },
    ],
    [t, places],
  )
}
