import { useQuery, type UseQueryResult, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { SubscriptionView } from '../../../src/contract/billing.ts'
import type { Page } from '../../../src/contract/wire-values.ts'
import { ledgerQuery } from '../../api/billing.ts'
import { instanceQuery } from '../../api/instance.ts'
import { meQuery } from '../../api/me.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { timeZoneHere } from '../../format/local-time.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { useTableState } from '../../table/use-table-state.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LedgerDayList } from './ledger-day-list.tsx'
import { LEDGER_SHAPE, ledgerFilter, showsEntries } from './ledger-filter.ts'
import { LedgerTable } from './ledger-table.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

/**
 * What is left to spend, and how much of it is held. `isPaidHere`: the card beside it takes payments, and leads elsewhere as
 * well, so that there is one way to begin.
 */
export function BalanceCard({ isPaidHere }: { readonly isPaidHere: boolean }): ReactNode {
  const t = useTexts('billing')
  const format = useFormat()
  const { data: me } = useSuspenseQuery(meQuery)
  const place = useQuery(instanceQuery)
  const topUp = isPaidHere ? null : (place.data?.top_up_url ?? null)
  const isUsedUp = isZero(me.balance) || me.balance.startsWith('-')
  return (
    <Section title={t.balance}>
      {/* High enough for the button, which is known later: what stands below is not moved by it. */}
      <div className="flex min-h-8.5 flex-wrap items-center justify-between gap-x-4 gap-y-2 touch:min-h-11">
        <p
          className={classNames('text-2xl font-semibold tracking-tight', isUsedUp && 'text-bad')}
          title={format.exactMoney(me.balance)}
        >
          {format.money(me.balance)}
        </p>
        {topUp !== null && (
          <a href={topUp} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            {t.topUp}
            <Icon name="external" />
          </a>
        )}
      </div>
      {isUsedUp && <p className="mt-1 text-ink-2">{t.empty}</p>}
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        <dt className="text-ink-2">{t.exact}</dt>
        <dd className="text-right">{format.exactMoney(me.balance)}</dd>
        <dt className="text-ink-2">{t.held}</dt>
        <dd className="text-right">{format.exactMoney(me.held)}</dd>
      </dl>
    </Section>
  )
}

/** The subscriptions: those that run with their windows, those that are over folded away below. */
export function SubscriptionList(props: { readonly subscriptions: UseQueryResult<Page<SubscriptionView>> }): ReactNode {
  const t = useTexts('billing').subscriptions
  const all = props.subscriptions.data?.data ?? []
  const current = all.filter(({ status }) => status === 'running' || status === 'upcoming')
  const past = all.filter(({ status }) => status === 'ended' || status === 'cancelled')
  return (
    <>
      <Section title={t.title} lead={t.lead}>
        <QueryView query={props.subscriptions} skeleton={<Skeleton className="h-40 rounded-lg" />}>
          {() =>
            current.length === 0 ? (
              <p className="text-ink-2">{t.empty}</p>
            ) : (
              <SubscriptionRows subscriptions={current} />
            )
          }
        </QueryView>
      </Section>
      {past.length > 0 && (
        <Disclosure title={t.past(past.length)}>
          <SubscriptionRows subscriptions={past} />
        </Disclosure>
      )}
    </>
  )
}

function SubscriptionRows({ subscriptions }: { readonly subscriptions: readonly SubscriptionView[] }): ReactNode {
  return (
    <ul className="grid items-start gap-x-10 gap-y-5 lg:grid-cols-2">
      {subscriptions.map((subscription) => (
        <SubscriptionCard key={subscription.id} subscription={subscription} />
      ))}
    </ul>
  )
}

/** What became of the balance: what came in and what each day cost or, where that is asked for, every single entry. */
export function LedgerSection(): ReactNode {
  const t = useTexts('billing').ledger
  const id = useId()
  const navigate = useNavigate()
  const search: FlatSearch = useSearch({ strict: false })
  const view = showsEntries(search) ? 'entries' : 'days'
  const choose = (next: typeof view): void =>
    void navigate({ to: '.', search: next === 'days' ? {} : { view: next }, resetScroll: false })
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id={id} className="text-lg">
            {t.title}
          </h2>
          <p className="text-ink-2">{t.leads[view]}</p>
        </div>
        <Segments
          label={t.view}
          options={[
            { value: 'days', label: t.views.days },
            { value: 'entries', label: t.views.entries },
          ]}
          value={view}
          onValue={choose}
          className="print:hidden max-sm:w-full"
        />
      </div>
      {view === 'days' ? <LedgerDayList /> : <Entries />}
    </section>
  )
}

function Entries(): ReactNode {
  const table = useTableState(LEDGER_SHAPE)
  const ledger = useQuery(ledgerQuery(ledgerFilter(table, timeZoneHere())))
  return <LedgerTable table={table} page={ledger} />
}
