import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { ADMIN_PATHS } from '../../../admin-paths.ts'
import { accountLedgerQuery, accountQuery } from '../../../api/accounts.ts'
import { accountsDictionary } from '../../../dictionaries/accounts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton, SkeletonLines } from '../../../ui/skeleton.tsx'
import { AccountActions } from './account-actions.tsx'

/** One account: who it is, its balance with the newest entries, and what can be done with it. */
export function AccountPage(): ReactNode {
  const t = accountsDictionary.useTexts()
  const { accountId = '' } = useParams({ strict: false })
  const account = useQuery(accountQuery(accountId))
  return (
    <>
      <Link
        to={ADMIN_PATHS.accounts}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline"
      >
        <Icon name="left" /> {t.back}
      </Link>
      <QueryView query={account} skeleton={<PageSkeleton />}>
        {(data) => <AccountParts account={data} />}
      </QueryView>
    </>
  )
}

function AccountParts({ account }: { readonly account: AccountView }): ReactNode {
  const t = accountsDictionary.useTexts()
  const format = useFormat()
  return (
    <>
      <PageHeader title={account.email} actions={<AccountActions account={account} />} />
      <div className="grid gap-4">
        {account.managed && <Notice>{t.managed}</Notice>}
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
        <Section title={t.ledger}>
          <LatestEntries id={account.id} />
        </Section>
      </div>
    </>
  )
}

function LatestEntries({ id }: { readonly id: string }): ReactNode {
  const t = accountsDictionary.useTexts()
  const format = useFormat()
  const ledger = useQuery(accountLedgerQuery(id))
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
                className="flex flex-wrap items-baseline gap-x-4 border-t border-line py-2 first:border-t-0 first:pt-0"
              >
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{entry.reason}</span>
                <span className="text-sm text-ink-3">{format.time(entry.created_at)}</span>
                <span className="font-medium">{format.exactMoney(entry.amount)}</span>
                <span className="text-sm text-ink-3">{t.after(format.money(entry.balance_after))}</span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
