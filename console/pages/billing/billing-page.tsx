import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { subscriptionsQuery } from '../../api/billing.ts'
import { ordersQuery, paymentOfferQuery } from '../../api/payments.ts'
import { plansForSaleQuery } from '../../api/plans-for-sale.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BalanceCard, LedgerSection, SubscriptionList } from './billing-sections.tsx'
import { OrderList } from './order-list.tsx'
import { PlanShop } from './plan-shop.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { TopUpCard } from './top-up-card.tsx'

/** What there is to spend, and what became of it. */
export default function BillingPage(): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('billing')
  const subscriptions = useQuery(subscriptionsQuery)
  const offer = useQuery(paymentOfferQuery)
  const canPay = (offer.data?.providers.length ?? 0) > 0
  const plans = useQuery({ ...plansForSaleQuery, enabled: canPay })
  const hasOrders = offer.data?.has_orders === true
  const orders = useInfiniteQuery({ ...ordersQuery('own'), enabled: hasOrders })
  return (
    <>
      <PageHeader
        title={shared.pages.billing}
        actions={
          <Link to={PATHS.account} search={{ section: 'notifications' }} className={buttonClass('quiet')}>
            <Icon name="bell" />
            {t.alerts.title}
          </Link>
        }
        hasIconsOnly
      />
      {/* What can be bought is known first, so that it moves nothing. */}
      {offer.isPending || plans.isLoading ? (
        <Skeleton className="h-80 rounded-lg" />
      ) : (
        <div className="grid min-w-0 gap-5">
          <div className="grid gap-5 sm:grid-cols-2 sm:[&>:nth-child(3)]:col-span-2">
            <BalanceCard isPaidHere={canPay} />
            {offer.data !== undefined && <TopUpCard offer={offer.data} />}
            <RedeemCard />
          </div>
          {offer.data !== undefined && canPay && <PlanShop plans={plans.data ?? []} offer={offer.data} />}
          <SubscriptionList subscriptions={subscriptions} />
          {!subscriptions.isPending && hasOrders && <OrderList whose="own" />}
          {!subscriptions.isPending && !orders.isLoading && <LedgerSection />}
        </div>
      )}
    </>
  )
}
