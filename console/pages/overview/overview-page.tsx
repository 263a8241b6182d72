import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { instanceQuery } from '../../api/instance.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useNeedsProvider } from '../../api/upstreams.ts'
import { loadTexts, useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { PasswordNotice } from '../../shell/password-notice.tsx'
import type { FlatSearch } from '../../table/table-search.ts'
import { buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DaysCard, OverviewAlerts, OverviewSubscriptions, RecentRequests } from './overview-cards.tsx'
import { BalanceTile, SpendTile } from './overview-tiles.tsx'
import { WatchedKeys } from './watched-keys.tsx'
import { areAlertsLeft, otherAlerts, watchedParts } from './watched-parts.ts'

const AnnouncementList = lazyPart(() => import('../../shell/announcements.tsx'))

/** The steps show setups, key forms and faults as they go on. */
const START_TEXTS = ['start', 'keys', 'key', 'setup', 'faults', 'causes', 'refusals', 'billing'] as const

const StartCard = lazyPart(
  async () => (await Promise.all([import('./start/start-card.tsx'), loadTexts(...START_TEXTS)]))[0],
  <Skeleton className="h-96 w-full max-w-3xl rounded-lg" />,
  { isForFew: true },
)
const ConnectProvider = lazyPart(
  async () => (await Promise.all([import('./start/connect-provider.tsx'), loadTexts('start')]))[0],
  null,
  { isForFew: true },
)

/** How an account stands: home, once its first call has worked. Before that, home is the way to it. */
export default function OverviewPage(): ReactNode {
  const t = useTexts('overview')
  const shared = useSharedTexts()
  const overview = useQuery(overviewQuery())
  const { isStarting, isAnother } = useStart(overview)
  return (
    <>
      <PageHeader
        title={isAnother ? t.setUp : shared.pages.overview}
        lead={isAnother ? t.setUpLead : isStarting ? t.startLead : t.lead}
        actions={
          isStarting || isAnother ? undefined : (
            <Link to={PATHS.overview} search={{ another: '1' }} className={buttonClass('secondary')}>
              {t.setUp}
            </Link>
          )
        }
      />
      <PasswordNotice />
      <AnnouncementList kind="notice" />
      <div className="grid grid-cols-1 gap-4">
        {isStarting || isAnother ? (
          <WithProvider isStarting>
            <StartCard key={String(isAnother)} isAnother={isAnother} />
          </WithProvider>
        ) : overview.data?.has_answered === false ? (
          <OverviewSkeleton />
        ) : (
          <WithProvider isStarting={false}>
            <QueryView query={overview} skeleton={<OverviewSkeleton />}>
              {(data) => <OverviewParts overview={data} />}
            </QueryView>
          </WithProvider>
        )}
      </div>
    </>
  )
}

/**
 * Whether the page is the way to a first call, or with `isAnother` to one of another client. What was found at arrival holds
 * until the reader goes on: the first answer must not take away what led to it.
 */
function useStart(overview: UseQueryResult<Overview>): { readonly isStarting: boolean; readonly isAnother: boolean } {
  const search: FlatSearch = useSearch({ strict: false })
  const [isStarting, setStarting] = useState(false)
  const hasAnswered = overview.data?.has_answered
  // What an earlier visit found is asked for anew.
  if (hasAnswered === false && !overview.isFetching && !isStarting) setStarting(true)
  // A link to this page leads on from it.
  const visit = useLocation({ select: ({ state }) => state })
  useEffect(() => {
    if (hasAnswered === true) setStarting(false)
  }, [visit])
  return { isStarting, isAnother: search['another'] !== undefined }
}

/**
 * Where no provider is connected, that stands beside what it would be for: last, since it comes late and would push the rest from
 * under the pointer; first where nothing can be tried without one.
 */
function WithProvider(props: { readonly isStarting: boolean; readonly children: ReactNode }): ReactNode {
  const needsProvider = useNeedsProvider()
  const isDemo = useQuery({ ...instanceQuery, enabled: needsProvider }).data?.demo
  const provider = needsProvider && isDemo !== undefined ? <ConnectProvider isDemo={isDemo} /> : null
  const isFirst = isDemo === false && props.isStarting
  // The children keep their place, and with it what is in them, when it comes.
  return (
    <>
      {isFirst ? provider : null}
      {props.children}
      {isFirst ? null : provider}
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
    </div>
  )
}

/** The number of keys that are as high as the spending per day beside them. */
const FEW_KEYS = 2

/** What needs attention comes first where there is one column, and where there are two it stands in the second. */
function MainParts({ overview }: { readonly overview: Overview }): ReactNode {
  const { keys, subscriptions, requests } = overview
  const alerts = otherAlerts(overview)
  const { spent, others } = watchedParts(keys)
  const days = <DaysCard days={overview.days} asOf={overview.as_of} />
  // So little would leave the rest of a column empty: then it takes one row, and the requests the whole width below.
  if (subscriptions.length === 0 && alerts.length === 0 && others.length + Math.min(1, spent.length) <= FEW_KEYS) {
    return (
      <div className={`${TWO_COLUMNS} lg:*:last:col-span-2`}>
        <WatchedKeys keys={keys} />
        <div className="grid grid-cols-1 lg:-order-1">{days}</div>
        <RecentRequests requests={requests} />
      </div>
    )
  }
  const isLeft = areAlertsLeft({ keys, subscriptions, alerts, requests })
  return (
    <div className={`${TWO_COLUMNS} lg:items-start`}>
      <div className="grid grid-cols-1 gap-4 lg:order-2">
        <WatchedKeys keys={keys} />
        <OverviewSubscriptions subscriptions={subscriptions} />
        {!isLeft && <OverviewAlerts alerts={alerts} />}
      </div>
      <div className="grid grid-cols-1 gap-4">
        {days}
        <RecentRequests requests={requests} />
        {isLeft && <OverviewAlerts alerts={alerts} />}
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
