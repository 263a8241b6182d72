import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ListedAccountView } from '../../../../src/contract/accounts.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { accountsQuery, everyAccount } from '../../../api/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { stepLine } from '../../../chart/step-line.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nanoOf } from '../../../format/decimal.ts'
import { longestPlaces, usualRoom } from '../../../format/money.ts'
import { type Format, useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { columnsOf } from '../../../table/columns-of.ts'
import { ListPage } from '../kit/list-page.tsx'

const Invitations = lazyPart(() => import('./invitations.tsx'))
const Invite = lazyPart(() => import('./invite.tsx'))
const CreditMany = lazyPart(() => import('./credit-many.tsx'))
const BulkAccounts = lazyPart(() => import('./bulk-accounts.tsx'))

const NO_ROWS: readonly ListedAccountView[] = []

/** Everyone who may use the gateway; the server searches and pages. */
export default function AccountsPage(): ReactNode {
  const t = useTexts('accounts')
  const table = useTableState({ filters: ['role', 'status'], sort: { by: 'created', order: 'desc' } })
  const { sort: _sort, order: _order, ...query } = table.query
  const accounts = useQuery(accountsQuery(query))
  const columns = useAccountColumns(accounts.data?.data ?? NO_ROWS)
  const mayInvite = useMay('admin')
  const mayCredit = useMay('books')
  const filter = { search: table.search === '' ? undefined : table.search, ...table.filters }
  const navigate = useNavigate()
  const [flat, open] = useFlatSearch()
  const { new: isNew, ...others } = flat
  const choices = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }))
  return (
    <>
      <ListPage
        name="accounts"
        icon="account"
        texts={t}
        actions={
          <>
            {mayCredit && (
              <Button icon="billing" onClick={() => open({ ...others, new: 'credits' })}>
                {t.credits.action}
              </Button>
            )}
            <Button icon="mail" onClick={() => open({ ...others, new: 'invitations' })}>
              {t.invitations.action}
            </Button>
            {mayInvite && (
              <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'invitation' })}>
                {t.invite}
              </Button>
            )}
          </>
        }
        columns={columns}
        state={table}
        page={accounts}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        onOpen={({ id }) => void navigate({ to: ADMIN_PATHS.account, params: { accountId: id } })}
        bulk={mayInvite || mayCredit ? (rows, clear) => <BulkAccounts accounts={rows} onDone={clear} /> : undefined}
        everyRow={() => {
          const { cursor: _cursor, limit: _limit, ...all } = query
          return everyAccount(all)
        }}
        download={{ path: '/api/accounts', query: filter }}
        filters={
          <>
            <FilterSelect state={table} name="role" label={t.columns.role} options={choices(t.roles)} />
            <FilterSelect state={table} name="status" label={t.columns.status} options={choices(t.statuses)} />
          </>
        }
      />
      {isNew === 'invitations' && <Invitations onClose={() => open(others)} />}
      {isNew === 'credits' && mayCredit && <CreditMany onClose={() => open(others)} />}
      {isNew === 'invitation' && mayInvite && <Invite onClose={() => open(others)} />}
    </>
  )
}

/** Places of the longest of these amounts, and the room that most of them leave behind their last digit. */
function figuresOf(amounts: readonly string[], format: Format): { readonly places: number; readonly room: number } {
  const places = longestPlaces(amounts)
  return { places, room: usualRoom(amounts.map(format.money), places) }
}

/** Who an account is, and what it did lately. `rows`: those on the page. */
function useAccountColumns(rows: readonly ListedAccountView[]): readonly Column<ListedAccountView>[] {
  const t = useTexts('accounts')
  const format = useFormat()
  return useMemo(() => {
    const balances = figuresOf(
      rows.map(({ balance }) => balance),
      format,
    )
    const spends = figuresOf(
      rows.map(({ spend_30d: spend }) => spend),
      format,
    )
    return columnsOf<ListedAccountView, keyof typeof t.columns>(t.columns, {
      email: { role: 'title', cell: ({ email }) => <CutName text={email} className="max-w-64" /> },
      name: {
        isEmptyFor: ({ name }) => name === '',
        cell: ({ name }) => (name === '' ? <span className="text-ink-3">–</span> : name),
      },
      role: { width: 'w-24', cell: ({ role }) => t.roles[role] },
      status: {
        width: 'w-28',
        onPhone: 'state',
        cell: ({ status }) => (
          <Badge tone={status === 'active' ? 'good' : 'neutral'} hasDot>
            {t.statuses[status]}
          </Badge>
        ),
      },
      balance: {
        align: 'end',
        onPhone: 'figure',
        width: 'w-32 xl:w-44',
        room: balances.room,
        cell: (account) => <BalanceCell account={account} places={balances.places} />,
      },
      spend: {
        align: 'end',
        onPhone: 'figure',
        width: 'w-32',
        room: spends.room,
        cell: ({ spend_30d: spend }) => (
          <AlignedAmount shown={format.money(spend)} places={spends.places} title={format.exactMoney(spend)} />
        ),
      },
      keys: { align: 'end', width: 'w-24', cell: ({ keys }) => format.number(keys) },
      limits: {
        isEmptyFor: ({ limits }) => limits === null,
        width: 'w-32',
        cell: ({ limits }) =>
          limits === null ? <span className="text-ink-3">–</span> : t.limits(Object.keys(limits).length),
      },
      seen: { width: 'w-36', cell: ({ last_seen_at: seen }) => <RelativeTime time={seen} never={t.neverSeen} /> },
      created: {
        isHiddenAtFirst: true,
        width: 'w-44',
        cell: ({ created_at: at }) => <span className="whitespace-nowrap">{format.time(at)}</span>,
      },
    })
  }, [t, format, rows])
}

const DAY_MS = 86_400_000
const SPAN_MS = 30 * DAY_MS
const WIDTH = 80
const HEIGHT = 14

/** What the balance is, and at a glance how it went in thirty days. `places`: of the longest balance on the page. */
function BalanceCell(props: { readonly account: ListedAccountView; readonly places: number }): ReactNode {
  const { balance, balance_30d: went, email } = props.account
  const t = useTexts('accounts')
  const format = useFormat()
  const nowMs = useNow()
  return (
    <span className="flex items-center justify-end gap-2.5 xl:justify-between">
      {went.days.length > 0 && (
        <svg
          role="img"
          aria-label={t.balance30d(email, format.money(went.before), format.money(balance))}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-3.5 w-14 shrink-0 overflow-visible max-xl:hidden"
        >
          <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
          <path
            d={lineOf(went, nowMs)}
            className="fill-none stroke-accent"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      <span className="ml-auto">
        <AlignedAmount shown={format.money(balance)} places={props.places} title={format.exactMoney(balance)} />
      </span>
    </span>
  )
}

/** A day's balance is that of its end; today's is that of now. */
function lineOf({ before, days }: ListedAccountView['balance_30d'], nowMs: number): string {
  const steps = [
    { at: nowMs - SPAN_MS, amount: nanoOf(before) },
    ...days.map(({ at, balance }) => ({ at: Date.parse(at), amount: nanoOf(balance) })),
  ]
  return stepLine(steps, { fromMs: nowMs - SPAN_MS, toMs: nowMs, width: WIDTH, height: HEIGHT })
}
