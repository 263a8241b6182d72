import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LedgerEntryView } from '../../../../../src/contract/billing.ts'
import { accountLedgerQuery } from '../../../../api/accounts.ts'
import { type PageTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { longestPlaces } from '../../../../format/money.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { AlignedAmount } from '../../../../ui/aligned-amount.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { DetailList } from '../../../../ui/detail-list.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section } from '../../../../ui/section.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { reasonOf } from '../../../billing/charged-request.tsx'
import { BalanceCurve } from './balance-curve.tsx'

/** Who an account is, how its balance went, and the newest entries of its ledger. */
export function AccountOverview({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('accounts')
  const format = useFormat()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
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
    </div>
  )
}

/** Of a request what it asked and with which key, of all else why it was. */
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
