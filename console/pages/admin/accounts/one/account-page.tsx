import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { ADMIN_PATHS } from '../../../../admin-pages.ts'
import { accountQuery } from '../../../../api/accounts.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import type { FlatSearch } from '../../../../table/table-search.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { PageSkeleton } from '../../../../ui/skeleton.tsx'
import { Tabs } from '../../../../ui/tabs.tsx'
import { BackLink } from '../../../../ui/back-link.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountOverview } from './account-overview.tsx'

const tables = () => import('./account-tables.tsx')

const PARTS = {
  keys: lazyPart(async () => ({ default: (await tables()).AccountKeys })),
  requests: lazyPart(async () => ({ default: (await tables()).AccountRequests })),
  history: lazyPart(async () => ({ default: (await tables()).AccountHistory })),
  limits: lazyPart(() => import('./account-limits.tsx')),
  subscriptions: lazyPart(() => import('./account-subscriptions.tsx')),
  signIn: lazyPart(() => import('./account-sign-in.tsx')),
  audit: lazyPart(async () => ({ default: (await tables()).AccountAudit })),
} as const

const TABS = ['overview', 'keys', 'requests', 'history', 'limits', 'subscriptions', 'signIn', 'audit'] as const

/** One account: who it is and how its balance went, its keys, requests, books and ways in, and what can be done with it. */
export default function AccountPage(): ReactNode {
  const t = useTexts('accounts')
  const { accountId = '' } = useParams({ strict: false })
  const account = useQuery(accountQuery(accountId))
  return (
    <>
      <BackLink to={ADMIN_PATHS.accounts}>{t.back}</BackLink>
      <QueryView query={account} skeleton={<PageSkeleton />}>
        {(data) => <AccountParts account={data} />}
      </QueryView>
    </>
  )
}

function AccountParts({ account }: { readonly account: AccountView }): ReactNode {
  const texts = useTexts('accounts')
  const t = useTexts('oneAccount')
  const search: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab = TABS.find((each) => each === search['tab']) ?? 'overview'
  const go = (next: (typeof TABS)[number]): void =>
    // Without the filters of the part that is left.
    void navigate({ to: '.', search: next === 'overview' ? {} : { tab: next }, replace: true, resetScroll: false })
  const Part = tab === 'overview' ? null : PARTS[tab]
  return (
    <>
      <PageHeader title={account.email} actions={<AccountActions account={account} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {account.managed && <Notice>{texts.managed}</Notice>}
        {account.closed && <Notice>{t.closing.closed}</Notice>}
        <div>
          <Tabs label={t.parts} value={tab} onValue={go} tabs={TABS.map((value) => ({ value, label: t.tabs[value] }))}>
            {Part === null ? <AccountOverview account={account} /> : <Part account={account} />}
          </Tabs>
        </div>
      </div>
    </>
  )
}
