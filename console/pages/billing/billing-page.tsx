import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { alertsQuery } from '../../api/alerts.ts'
import { subscriptionsQuery } from '../../api/billing.ts'
import { billingDictionary } from '../../dictionaries/billing.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AlertList } from './alert-list.tsx'
import { BalanceCard } from './balance-card.tsx'
import { LedgerSection } from './ledger-section.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { SubscriptionList } from './subscription-list.tsx'

/** What there is to spend, and what became of it. */
export function BillingPage(): ReactNode {
  const shared = useSharedTexts()
  const t = billingDictionary.useTexts()
  const subscriptions = useQuery(subscriptionsQuery)
  const alerts = useQuery(alertsQuery)
  return (
    <>
      <PageHeader title={shared.pages.billing} lead={t.lead} />
      {/* Whether there are alerts is known first, so that they move nothing. */}
      {alerts.isPending ? (
        <Skeleton className="h-80 rounded-lg" />
      ) : (
        <div className="grid min-w-0 gap-5">
          <AlertList alerts={alerts} />
          <div className="grid gap-5 sm:grid-cols-2">
            <BalanceCard />
            <RedeemCard />
          </div>
          <SubscriptionList subscriptions={subscriptions} />
          {!subscriptions.isPending && <LedgerSection />}
        </div>
      )}
    </>
  )
}
