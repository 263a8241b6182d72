import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LedgerEntryView } from '../../../../../src/contract/billing.ts'
import { accountDaysQuery, accountLedgerQuery } from '../../../../api/accounts.ts'
import { stepLine } from '../../../../chart/step-line.ts'
import { type PageTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { usdOf } from '../../../../format/decimal.ts'
import { longestPlaces } from '../../../../format/money.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { AlignedAmount } from '../../../../ui/aligned-amount.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { DetailList } from '../../../../ui/detail-list.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section, Sheet } from '../../../../ui/section.tsx'
import { Skeleton, SkeletonLines } from '../../../../ui/skeleton.tsx'
import { reasonOf } from '../../../billing/charged-request.tsx'
import { type DayBalance, dayBalances } from './day-balances.ts'

/** Who an account is, how its balance went, and the newest entries of its ledger. */
export function AccountOverview({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('accounts')
  const format = useFormat()
  return (
    <Sheet>
      <Section title={t.facts}>
        <DetailList
          rows={[
            {
              label: t.columns.status,
              value: (
                <Badge tone={account.status === 'active' ? 'good' : 'neutral'} hasDot>
                  {t.statuses[account.status]}
                </Badge>
              ),
            },
            { label: t.columns.balance, value: format.exactMoney(account.balance) },
            { label: t.columns.role, value: t.roles[account.role] },
            { label: t.columns.name, value: account.name === '' ? '–' : account.name },
            { label: t.columns.created, value: format.time(account.created_at) },
          ]}
        />
      </Section>
      <BalanceCurve account={account} />
      <Section title={t.ledger}>
        <LatestEntries id={account.id} />
      </Section>
    </Sheet>
  )
}

/** What a request asked and with which key; why any other entry was made. */
function subjectOf(entry: LedgerEntryView, t: PageTexts['accounts']): string {
  const asked = [entry.model, entry.key_name].filter((part) => part !== null && part !== '').join(' · ')
  const reason = entry.kind === 'redeem' ? t.redeemed(reasonOf(entry)) : reasonOf(entry)
  return asked || reason || (entry.request_id ?? '')
}

function LatestEntries({ id }: { readonly id: string }): ReactNode {
  const t = useTexts('accounts')
  const format = useFormat()
  const ledger = useQuery(accountLedgerQuery(id))
  const places = longestPlaces(ledger.data?.data.map(({ amount }) => amount) ?? [])
  return (
    <QueryView query={ledger} skeleton={<SkeletonLines />}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-ink-2">{t.noEntries}</p>
        ) : (
          <ul>
            {data.map((entry) => (
              <li
                key={entry.id}
                className="flex items-start justify-between gap-x-4 border-t border-line py-2 first:border-t-0 first:pt-0"
              >
                <span className="min-w-0">
                  <span className="block [overflow-wrap:anywhere]">{subjectOf(entry, t).replace('…', '…\u2060')}</span>
                  <span className="block text-sm text-ink-3">{format.second(entry.created_at)}</span>
                </span>
                <span className="shrink-0 text-right">
                  <AlignedAmount
                    shown={format.moneyChange(entry.amount)}
                    places={places}
                    title={format.exactMoney(entry.amount)}
                    className={entry.amount.startsWith('-') ? 'font-medium' : 'font-medium text-good'}
                    isListed
                  />
                  <AlignedAmount
                    shown={t.after(format.money(entry.balance_after))}
                    places={places}
                    className="block text-sm text-ink-3"
                    isListed
                  />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

const WIDTH = 600
const HEIGHT = 80
const DAY_MS = 86_400_000

/** How the balance went in the last month in which it changed; the words say what the line shows. */
function BalanceCurve({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').curve
  const format = useFormat()
  const { data: days, isPending } = useQuery(accountDaysQuery(account.id))
  if (isPending)
    return (
      <Section title={t.title}>
        <Skeleton className="h-20" />
      </Section>
    )
  const balances = days === undefined ? [] : dayBalances(days, account.balance)
  const [first] = balances
  const last = balances.at(-1)
  if (first === undefined || last === undefined) return null
  const amounts = balances.map(({ balance }) => balance).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const money = (amount: bigint | undefined): string => format.money(usdOf(amount ?? 0n))
  const span = { from: format.date(first.at), to: format.date(last.at) }
  const label = t.text(span, money(amounts[0]), money(amounts.at(-1)))
  return (
    <Section title={t.title} lead={label}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-20 w-full overflow-visible"
      >
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <path
          d={lineOf(balances)}
          className="fill-none stroke-accent"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Section>
  )
}

/** The steps of so many days, the last of which goes on to its end. */
function lineOf(balances: readonly DayBalance[]): string {
  const steps = balances.map(({ at, balance }) => ({ at: Date.parse(at), amount: balance }))
  const toMs = (steps.at(-1)?.at ?? 0) + DAY_MS
  return stepLine(steps, { fromMs: steps[0]?.at ?? 0, toMs, width: WIDTH, height: HEIGHT })
}
