import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { accountsQuery, everyAccount } from '../../../api/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { accountsDictionary } from '../../../dictionaries/accounts.ts'
import { longestPlaces } from '../../../format/money.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useAccountColumns } from './account-columns.tsx'

const Invitations = lazyPart(() => import('./invitations.tsx'))
const Invite = lazyPart(() => import('./invite.tsx'))
const CreditMany = lazyPart(() => import('./credit-many.tsx'))
const BulkAccounts = lazyPart(() => import('./bulk-accounts.tsx'))

/** Everyone who may use the gateway; the server searches and pages. */
export default function AccountsPage(): ReactNode {
  const t = accountsDictionary.useTexts()
  const table = useTableState({ filters: ['role', 'status'], sort: { by: 'created', order: 'desc' } })
  const { sort: _sort, order: _order, ...query } = table.query
  const accounts = useQuery(accountsQuery(query))
  const shown = accounts.data?.data ?? []
  const columns = useAccountColumns({
    balance: longestPlaces(shown.map(({ balance }) => balance)),
    spend: longestPlaces(shown.map(({ spend_30d: spend }) => spend)),
  })
  const mayInvite = useMay('admin')
  const mayCredit = useMay('books')
  const filter = { search: table.search === '' ? undefined : table.search, ...table.filters }
  const navigate = useNavigate()
  const [flat, open] = useFlatSearch()
  const { new: isNew, ...others } = flat
  const choices = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }))
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <>
            {mayCredit && (
              <Button icon="billing" onClick={() => open({ ...others, new: 'credits' })}>
                {t.credits.action}
              </Button>
            )}
            <Button icon="mail" onClick={() => open({ ...others, new: 'invitations' })}>
              {t.invitations.action}
            </Button>
            {mayInvite && (
              <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'invitation' })}>
                {t.invite}
              </Button>
            )}
          </>
        }
      />
      <DataTable
        name="accounts"
        label={t.title}
        columns={columns}
        state={table}
        page={accounts}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        onOpen={({ id }) => void navigate({ to: ADMIN_PATHS.account, params: { accountId: id } })}
        bulk={mayInvite || mayCredit ? (rows, clear) => <BulkAccounts accounts={rows} onDone={clear} /> : undefined}
        everyRow={() => {
          const { cursor: _cursor, limit: _limit, ...all } = query
          return everyAccount(all)
        }}
        download={{ path: '/api/accounts', query: filter }}
        searchLabel={t.search}
        filters={
          <>
            <FilterSelect state={table} name="role" label={t.columns.role} options={choices(t.roles)} />
            <FilterSelect state={table} name="status" label={t.columns.status} options={choices(t.statuses)} />
          </>
        }
        empty={
          <EmptyState icon="account" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      {isNew === 'invitations' && <Invitations onClose={() => open(others)} />}
      {isNew === 'credits' && mayCredit && <CreditMany onClose={() => open(others)} />}
      {isNew === 'invitation' && mayInvite && <Invite onClose={() => open(others)} />}
    </>
  )
}
