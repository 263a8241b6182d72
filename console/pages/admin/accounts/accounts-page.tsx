import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { ADMIN_PATHS } from '../../../admin-paths.ts'
import { accountsQuery } from '../../../api/accounts.ts'
import { accountsDictionary } from '../../../dictionaries/accounts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { FilterSelect } from '../../../table/filter-select.tsx'
import type { FlatSearch } from '../../../table/table-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

const Invite = lazyPart(() => import('./invite.tsx'))

/** Everyone who may use the gateway; the server searches and pages. */
export function AccountsPage(): ReactNode {
  const t = accountsDictionary.useTexts()
  const table = useTableState({ filters: ['role', 'status'], sort: { by: 'created', order: 'desc' } })
  const { sort: _sort, order: _order, ...query } = table.query
  const accounts = useQuery(accountsQuery(query))
  const columns = useAccountColumns()
  const navigate = useNavigate()
  const flat: FlatSearch = useSearch({ strict: false })
  const { new: isNew, ...others } = flat
  const open = (wish: FlatSearch): void => void navigate({ to: '.', search: wish, resetScroll: false })
  const choices = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }))
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'invitation' })}>
            {t.invite}
          </Button>
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
      {isNew !== undefined && <Invite onClose={() => open(others)} />}
    </>
  )
}

function useAccountColumns(): readonly Column<AccountView>[] {
  const t = accountsDictionary.useTexts()
  const format = useFormat()
  return useMemo(
    (): readonly Column<AccountView>[] => [
      {
        id: 'email',
        header: t.columns.email,
        role: 'title',
        cell: ({ email }) => <CutName text={email} className="max-w-64" />,
      },
      { id: 'name', header: t.columns.name, cell: ({ name }) => (name === '' ? '–' : name) },
      { id: 'role', header: t.columns.role, width: 'w-24', cell: ({ role }) => t.roles[role] },
      {
        id: 'status',
        header: t.columns.status,
        width: 'w-28',
        cell: ({ status }) => (
          <Badge tone={status === 'active' ? 'good' : 'neutral'} hasDot>
            {t.statuses[status]}
          </Badge>
        ),
      },
      {
        id: 'balance',
        header: t.columns.balance,
        align: 'end',
        width: 'w-32',
        cell: ({ balance }) => <span title={format.exactMoney(balance)}>{format.money(balance)}</span>,
      },
      { id: 'created', header: t.columns.created, width: 'w-44', cell: ({ created_at: at }) => format.time(at) },
    ],
    [t, format],
  )
}
