import { useMemo } from 'react'
import type { ListedAccountView } from '../../../../src/contract/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { BalanceCell } from './balance-cell.tsx'

/** Who an account is, and what it did lately. `places`: of the longest balance, and of the longest spend, on the page. */
export function useAccountColumns(places: { balance: number; spend: number }): readonly Column<ListedAccountView>[] {
  const t = useTexts('accounts')
  const format = useFormat()
  return useMemo(
    (): readonly Column<ListedAccountView>[] => [
      {
        id: 'email',
        header: t.columns.email,
        role: 'title',
        cell: ({ email }) => <CutName text={email} className="max-w-64" />,
      },
      {
        id: 'name',
        header: t.columns.name,
        cell: ({ name }) => (name === '' ? <span className="text-ink-3">–</span> : name),
      },
      { id: 'role', header: t.columns.role, width: 'w-24', cell: ({ role }) => t.roles[role] },
      {
        id: 'status',
        header: t.columns.status,
        width: 'w-28',
        cell: ({ status }) => (
          <Badge tone={status === 'active' ? 'good' : 'neutral'} hasDot>
            {t.statuses[status]}
          </Badge>
        ),
      },
      {
        id: 'balance',
        header: t.columns.balance,
        align: 'end',
        width: 'w-32',
        cell: (account) => <BalanceCell account={account} places={places.balance} />,
      },
      {
        id: 'spend',
        header: t.columns.spend,
        align: 'end',
        width: 'w-32',
        cell: ({ spend_30d: spend }) => (
          <AlignedAmount shown={format.money(spend)} places={places.spend} title={format.exactMoney(spend)} />
        ),
      },
      {
        id: 'keys',
        header: t.columns.keys,
        align: 'end',
        width: 'w-24',
        cell: ({ keys }) => format.number(keys),
      },
      {
        id: 'limits',
        header: t.columns.limits,
        width: 'w-32',
        cell: ({ limits }) =>
          limits === null ? <span className="text-ink-3">–</span> : t.limits(Object.keys(limits).length),
      },
      {
        id: 'seen',
        header: t.columns.seen,
        width: 'w-36',
        cell: ({ last_seen_at: seen }) => <RelativeTime time={seen} never={t.neverSeen} />,
      },
      {
        id: 'created',
        header: t.columns.created,
        isHiddenAtFirst: true,
        width: 'w-44',
        cell: ({ created_at: at }) => <span className="whitespace-nowrap">{format.time(at)}</span>,
      },
    ],
    [t, format, places.balance, places.spend],
  )
}
