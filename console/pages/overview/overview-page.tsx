import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { PasswordNotice } from '../../shell/password-notice.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  DaysCard,
  GatewayLine,
  OverviewAlerts,
  OverviewSubscriptions,
  RecentRequests,
  WatchedKeys,
} from './overview-cards.tsx'
import { BalanceTile, SpendTile } from './overview-tiles.tsx'

const AnnouncementList = lazyPart(() => import('../../shell/announcements.tsx'))

/** How an account stands: home, once its first call has worked. Before that, home is the way to it. */
export default function OverviewPage(): ReactNode {
  const t = useTexts('overview')
  const shared = useSharedTexts()
  const overview = useQuery(overviewQuery())
  // What an earlier visit found is asked for anew before it leads away from here.
  const isNew = overview.data?.has_answered === false
  if (isNew && !overview.isFetching) return <Navigate to={PATHS.start} replace />
  return (
    <>
      <PageHeader
        title={shared.pages.overview}
        lead={t.lead}
        actions={
          <Link to={PATHS.start} search={{ another: '1' }} className={buttonClass('secondary')}>
            {t.setUp}
          </Link>
        }
      />
      <PasswordNotice />
      <AnnouncementList kind="notice" />
      {isNew ? (
        <OverviewSkeleton />
      ) : (
        <QueryView query={overview} skeleton={<OverviewSkeleton />}>
          {(data) => <OverviewParts overview={data} />}
        </QueryView>
      )}
    </>
  )
}

function OverviewParts({ overview }: { readonly overview: Overview }): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2 xl:grid-cols-4">
        <BalanceTile balance={overview.balance} />
        <SpendTile span="today" spend={overview.spend.today} />
        <SpendTile span="last_7_days" spend={overview.spend.last_7_days} />
        <SpendTile span="this_month" spend={overview.spend.this_month} />
      </ul>
      <MainParts overview={overview} />
      <GatewayLine gateway={overview.gateway} asOf={overview.as_of} />
    </div>
  )
}

/** The number of keys that are as high as the spending per day beside them. */
const FEW_KEYS = 2

/** What needs attention comes first where there is one column, and where there are two it stands in the second. */
function MainParts({ overview }: { readonly overview: Overview }): ReactNode {
  const { keys, subscriptions, alerts, requests } = overview
  const days = <DaysCard days={overview.days} asOf={overview.as_of} />
  // So little would leave the rest of a column empty: then it takes one row, and the requests the whole width below.
  if (subscriptions.length === 0 && alerts.length === 0 && keys.length <= FEW_KEYS) {
    return (
      <div className={`${TWO_COLUMNS} lg:*:last:col-span-2`}>
        <WatchedKeys keys={keys} />
        <div className="grid grid-cols-1 lg:-order-1">{days}</div>
        <RecentRequests requests={requests} />
      </div>
    )
  }
  return (
    <div className={`${TWO_COLUMNS} lg:items-start`}>
      <div className="grid grid-cols-1 gap-4 lg:order-2">
        <WatchedKeys keys={keys} />
        <OverviewSubscriptions subscriptions={subscriptions} />
        <OverviewAlerts alerts={alerts} />
      </div>
      <div className="grid grid-cols-1 gap-4">
        {days}
        <RecentRequests requests={requests} />
      </div>
    </div>
  )
}

const TWO_COLUMNS = 'grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'

/** A skeleton of the size of what comes. */
function OverviewSkeleton(): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2 xl:grid-cols-4">
        {['balance', 'today', 'week', 'month'].map((name) => (
          <Skeleton key={name} className="h-37 w-full rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}
