import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { ledgerQuery } from '../../../../api/billing.ts'
import { timeZoneHere } from '../../../../format/local-time.ts'
import { useTableState } from '../../../../table/use-table-state.ts'
import { LEDGER_SHAPE, ledgerFilter } from '../../../billing/ledger-filter.ts'
import { LedgerTable } from '../../../billing/ledger-table.tsx'

/** Every entry of the ledger of one account, with the balance after each. */
export default function AccountHistory({ account }: { readonly account: AccountView }): ReactNode {
  const table = useTableState(LEDGER_SHAPE)
  const ledger = useQuery(ledgerQuery({ ...ledgerFilter(table, timeZoneHere()), account_id: account.id }))
  return <LedgerTable table={table} page={ledger} />
}
