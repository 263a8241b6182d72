import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { alertsQuery } from '../../api/alerts.ts'
import { ledgerQuery, subscriptionsQuery } from '../../api/billing.ts'
import { billingDictionary } from '../../dictionaries/billing.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { timeZoneHere } from '../../format/local-time.ts'
import { useTableState } from '../../table/use-table-state.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { AlertList } from './alert-list.tsx'
import { BalanceCard } from './balance-card.tsx'
import { LEDGER_SHAPE, ledgerFilter } from './ledger-filter.ts'
import { LedgerTable } from './ledger-table.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { SubscriptionList } from './subscription-list.tsx'

/** What there is to spend, and what became of it. */
export function BillingPage(): ReactNode {
  const shared = useSharedTexts()
  const t = billingDictionary.useTexts()
  const subscriptions = useQuery(subscriptionsQuery)
  const alerts = useQuery(alertsQuery)
  const table = useTableState(LEDGER_SHAPE)
  const ledger = useQuery(ledgerQuery(ledgerFilter(table, timeZoneHere())))
  return (
    <>
      <PageHeader title={shared.pages.billing} lead={t.lead} />
      <div className="grid min-w-0 gap-5">
        <div className="grid gap-5 lg:grid-cols-2">
          <BalanceCard />
          <RedeemCard />
        </div>
        {!alerts.isPending && <AlertList alerts={alerts} />}
        {!alerts.isPending && <SubscriptionList subscriptions={subscriptions} />}
        {/* What stands above says first how high it is, so that this is never moved. */}
        {!alerts.isPending && !subscriptions.isPending && <LedgerTable table={table} page={ledger} />}
      </div>
    </>
  )
}
