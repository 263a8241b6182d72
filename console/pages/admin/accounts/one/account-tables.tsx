import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { ApiKeyView } from '../../../../../src/contract/keys.ts'
import { auditQuery } from '../../../../api/audit.ts'
import { ledgerQuery } from '../../../../api/billing.ts'
import { keysQuery } from '../../../../api/keys.ts'
import { usageRecordsQuery } from '../../../../api/usage.ts'
import { sentenceOf } from '../../../../differences/audit-sentence.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { timeZoneHere } from '../../../../format/local-time.ts'
import { longestPlaces } from '../../../../format/money.ts'
import type { Column } from '../../../../table/column.ts'
import { DataTable } from '../../../../table/data-table.tsx'
import { FilterSelect } from '../../../../table/filter-select.tsx'
import { useFlatSearch } from '../../../../table/use-flat-search.ts'
import { useTableState } from '../../../../table/use-table-state.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { RelativeTime } from '../../../../ui/relative-time.tsx'
import { LEDGER_SHAPE, ledgerFilter } from '../../../billing/ledger-filter.ts'
import { LedgerTable } from '../../../billing/ledger-table.tsx'
import {
  ExpiryCell,
  GroupCell,
  LimitsCell,
  NameCell,
  QuotaCell,
  SpendCell,
  StatusCell,
} from '../../../keys/key-cells.tsx'
import { useRecordColumns } from '../../../usage/record-columns.tsx'
import { useAuditColumns } from '../../audit/audit-columns.tsx'
import { columnsOf } from '../../../../table/columns-of.ts'

const SHAPE = { filters: ['status'], sort: { by: 'created_at', order: 'desc' } } as const
const STATUSES: readonly ApiKeyView['status'][] = ['active', 'disabled', 'expired', 'quota_exhausted']

/** The keys of one account; each has a page of its own. */
export function AccountKeys({ account }: { readonly account: AccountView }): ReactNode {
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
    () =>
      columnsOf<ApiKeyView, keyof typeof t.columns>(t.columns, {
        name: { role: 'title', sort: 'name', cell: (key) => <NameCell apiKey={key} /> },
        status: { onPhone: 'state', cell: (key) => <StatusCell apiKey={key} /> },
        group: { cell: (key) => <GroupCell apiKey={key} /> },
        spent: {
          sort: 'spent',
          onPhone: 'figure',
          sortsFirst: 'desc',
          align: 'end',
          cell: (key) => <SpendCell apiKey={key} places={places} />,
        },
        limit: { isEmptyFor: ({ quota_limit: limit }) => limit === null, cell: (key) => <QuotaCell apiKey={key} /> },
        lastUsed: {
          id: 'last_used_at',
          onPhone: 'figure',
          sort: 'last_used_at',
          sortsFirst: 'desc',
          cell: (key) => <RelativeTime time={key.last_used_at} never={t.neverUsed} />,
        },
        expires: {
          id: 'expires_at',
          sort: 'expires_at',
          sortsFirst: 'desc',
          cell: (key) => <ExpiryCell apiKey={key} />,
        },
        limits: { isHiddenAtFirst: true, cell: (key) => <LimitsCell apiKey={key} /> },
      }),
    [t, places],
  )
}

/** Every entry of the ledger of one account, with the balance after each. */
export function AccountHistory({ account }: { readonly account: AccountView }): ReactNode {
  const table = useTableState(LEDGER_SHAPE)
  const ledger = useQuery(ledgerQuery({ ...ledgerFilter(table, timeZoneHere()), account_id: account.id }))
  return <LedgerTable table={table} page={ledger} />
}

/** What was done to an account and its things, by any actor. */
export function AccountAudit({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount')
  const table = useTableState({ filters: [], sort: { by: 'time', order: 'desc' } })
  const entries = useQuery(auditQuery({ account: account.id, cursor: table.cursor }))
  const audit = useTexts('audit')
  const columns = useAuditColumns()
  return (
    <DataTable
      name="audit"
      label={t.tabs.audit}
      columns={columns}
      state={table}
      page={entries}
      rowId={({ id }) => id}
      rowName={(entry) => sentenceOf(audit, entry)}
      download={{ path: '/api/audit', query: { account: account.id } }}
      searchLabel={null}
      empty={
        <EmptyState icon="clock" title={t.audit.empty}>
          {t.audit.emptyText}
        </EmptyState>
      }
    />
  )
}

const RecordDrawer = lazyPart(() => import('../../../usage/record-drawer.tsx'))

/** Every request of one account, the newest first. */
export function AccountRequests({ account }: { readonly account: AccountView }): ReactNode {
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
