import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { usageRecordsQuery } from '../../../../api/usage.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { DataTable } from '../../../../table/data-table.tsx'
import { useFlatSearch } from '../../../../table/use-flat-search.ts'
import { useTableState } from '../../../../table/use-table-state.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { useRecordColumns } from '../../../usage/record-columns.tsx'

const RecordDrawer = lazyPart(() => import('../../../usage/record-drawer.tsx'))

/** Every request of one account, the newest first. */
export default function AccountRequests({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount')
  const table = useTableState({ filters: [], sort: { by: '', order: 'desc' } })
  const request = table.search.trim()
  const records = useQuery(
    usageRecordsQuery({
      account_id: account.id,
      ...(request === '' ? {} : { request }),
      ...(table.cursor === null ? {} : { cursor: table.cursor }),
    }),
  )
  const columns = useRecordColumns(records.data?.data)
  const [{ record, ...others }, search] = useFlatSearch()
  const open = (id: string | null): void => search(id === null ? others : { ...others, record: id })
  return (
    <>
      <DataTable
        name="account-requests"
        label={t.tabs.requests}
        columns={columns}
        state={table}
        page={records}
        rowId={({ id }) => id}
        rowName={({ id }) => id}
        onOpen={({ id }) => open(id)}
        searchLabel={t.requests.search}
        empty={
          <EmptyState icon="usage" title={t.requests.empty}>
            {t.requests.emptyText}
          </EmptyState>
        }
      />
      {record !== undefined && record !== '' && (
        <RecordDrawer
          id={record}
          known={records.data?.data.find(({ id }) => id === record)}
          onClose={() => open(null)}
        />
      )}
    </>
  )
}
