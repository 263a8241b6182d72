import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { auditQuery } from '../../../../api/audit.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { DataTable } from '../../../../table/data-table.tsx'
import { useTableState } from '../../../../table/use-table-state.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { useAuditColumns } from '../../audit/audit-columns.tsx'

/** What was done to an account and its things, by any actor. */
export default function AccountAudit({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount')
  const table = useTableState({ filters: [], sort: { by: 'time', order: 'desc' } })
  const entries = useQuery(auditQuery({ account: account.id, cursor: table.cursor }))
  const columns = useAuditColumns()
  return (
    <DataTable
      name="audit"
      label={t.tabs.audit}
      columns={columns}
      state={table}
      page={entries}
      rowId={({ id }) => id}
      rowName={({ action }) => action}
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
