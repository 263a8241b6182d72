import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { LedgerDays, LedgerEntryView } from '../../../src/contract/billing.ts'
import { ledgerDaysQuery, ledgerQuery } from '../../api/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { localInputOf, timeZoneHere } from '../../format/local-time.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChargedAmount, ChargedRequest, reasonOf } from './charged-request.tsx'

type LedgerDay = LedgerDays['data'][number]

const HALF_DAY_MS = 43_200_000

/** The day that a day of the API is to its reader, where clocks were changed since, too. */
function noonOf(day: LedgerDay): string {
  return new Date(Date.parse(day.at) + HALF_DAY_MS).toISOString()
}

/** The days on which the balance changed, newest first: what came in, and what requests cost together. */
export function LedgerDayList(): ReactNode {
  const t = useTexts('billing').ledger
  const days = useInfiniteQuery(ledgerDaysQuery())
  return (
    <QueryView
      query={days}
      skeleton={<Skeleton className="h-80 rounded-lg" />}
      empty={{
        is: ({ pages }) => pages.every(({ data }) => data.length === 0),
        shown: (
          <div className="card">
            <EmptyState icon="billing" title={t.emptyTitle}>
              {t.emptyText}
            </EmptyState>
          </div>
        ),
      }}
    >
      {({ pages }) => (
        <>
          <ol aria-label={t.title} className="card grid min-w-0 divide-y divide-line overflow-hidden">
            {pages.flatMap(({ data }) => data.map((day) => <DayItem key={day.at} day={day} />))}
          </ol>
          <div className="flex flex-wrap items-center gap-3">
            {days.hasNextPage && (
              <Button isBusy={days.isFetchingNextPage} onClick={() => void days.fetchNextPage()}>
                {t.earlier}
              </Button>
            )}
            {pages.some((page) => page.has_more_entries) && (
              <Link to={PATHS.billing} search={{ view: 'entries' }} className="text-sm text-accent hover:underline">
                {t.moreEntries}
              </Link>
            )}
          </div>
        </>
      )}
    </QueryView>
  )
}

function DayItem({ day }: { readonly day: LedgerDay }): ReactNode {
  return (
    <li className="min-w-0">
      {day.entries.map((entry) => (
        <ChangeLine key={entry.id} entry={entry} noon={noonOf(day)} />
      ))}
      {day.requests > 0 && <RequestsOfDay day={day} />}
    </li>
  )
}

/** All requests of the day in one line, which opens to what they were. */
function RequestsOfDay({ day }: { readonly day: LedgerDay }): ReactNode {
  const t = useTexts('billing').ledger
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const bySubscription = isZero(day.paid_by_subscriptions)
    ? ''
    : ` · ${t.bySubscription(format.money(day.paid_by_subscriptions))}`
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={LINE}>
        <Icon name="right" className="text-ink-3 transition-transform group-open:rotate-90 print:hidden" />
        <DayText title={format.date(noonOf(day))} text={`${t.requests(day.requests)}${bySubscription}`} />
        <span
          className={isZero(day.paid_by_balance) ? 'text-ink-3' : 'font-medium'}
          title={format.exactMoney(day.paid_by_balance)}
        >
          {isZero(day.paid_by_balance) ? '' : '−'}
          {format.money(day.paid_by_balance)}
        </span>
      </summary>
      {isOpen && <LedgerDayRequests from={day.at} noon={noonOf(day)} />}
    </details>
  )
}

/** A top-up, a redeemed code or a correction. What was given has a plus and another colour; the sign tells it, too. */
function ChangeLine({ entry, noon }: { readonly entry: LedgerEntryView; readonly noon: string }): ReactNode {
  const t = useTexts('billing').ledger
  const format = useFormat()
  const isGiven = !entry.amount.startsWith('-')
  const amount = format.exactMoney(entry.amount)
  return (
    <div className={LINE}>
      <Icon name={isGiven ? 'plus' : 'edit'} className={isGiven ? 'text-good' : 'text-ink-3'} />
      <DayText title={format.date(noon)} text={`${t.kinds[entry.kind]} · ${reasonOf(entry)}`} />
      <span className="text-right">
        <span className={isGiven ? 'font-medium text-good' : 'font-medium'}>{isGiven ? `+${amount}` : amount}</span>
        <span className="block text-sm text-ink-3">{t.balanceThen(format.exactMoney(entry.balance_after))}</span>
      </span>
    </div>
  )
}

function DayText({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <span className="min-w-0 flex-1 items-baseline gap-4 sm:flex">
      <span className="block shrink-0 sm:w-32">{title}</span>
      <span className="block min-w-0 text-sm [overflow-wrap:anywhere] text-ink-2">{text}</span>
    </span>
  )
}

const LINE =
  'flex min-h-11 min-w-0 list-none items-center gap-3 border-b border-line px-3 py-2 last:border-b-0 sm:px-4 [&::-webkit-details-marker]:hidden'

const DAY_MS = 86_400_000
const SHOWN = 20
/** A millionth of a dollar with its three digits. */
const COST_PLACES = 9

/** The newest requests of one day that the balance paid for. `from`: when it begins; `noon`: its middle. */
function LedgerDayRequests({ from, noon }: { readonly from: string; readonly noon: string }): ReactNode {
  const t = useTexts('billing').ledger
  const format = useFormat()
  const to = new Date(Date.parse(from) + DAY_MS).toISOString()
  const day = localInputOf(Date.parse(noon), timeZoneHere()).slice(0, 10)
  const page = useQuery(ledgerQuery({ kind: 'usage', from, to, limit: SHOWN }))
  return (
    <div className="border-t border-line bg-sunken px-3 py-2 sm:pl-11 sm:pr-4">
      <QueryView
        query={page}
        skeleton={<Skeleton className="h-40 rounded-md" />}
        empty={{
          is: ({ data, next_cursor }) => data.length === 0 && next_cursor === null,
          shown: <p className="py-2 text-ink-2">{t.nothingPaid}</p>,
        }}
      >
        {({ data, next_cursor }) => (
          <>
            <ul className="grid divide-y divide-line">
              {data.map((entry) => (
                <li key={entry.id} className="flex min-h-11 items-center gap-3 py-1">
                  <span className="min-w-0 flex-1">
                    <ChargedRequest entry={entry} />
                    <time dateTime={entry.created_at} className="block text-sm text-ink-3">
                      {format.clock(Date.parse(entry.created_at), Date.parse(entry.created_at))}
                    </time>
                  </span>
                  <ChargedAmount entry={entry}>
                    <AlignedAmount shown={format.exactMoney(entry.amount)} places={COST_PLACES} />
                  </ChargedAmount>
                </li>
              ))}
            </ul>
            {next_cursor !== null && (
              <Link
                to={PATHS.billing}
                search={{ kind: 'usage', from: day, to: day }}
                className="inline-block py-2 text-sm text-accent hover:underline"
              >
                {t.allOfDay}
              </Link>
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}
