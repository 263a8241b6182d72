import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import type { LedgerEntryView } from '../../../src/contract/billing.ts'
import type { Page } from '../../../src/contract/wire-values.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { nameOf } from '../../format/name-of.ts'
import { formatMoment } from '../../format/time.ts'
import { useFormat, type Format } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import type { Column } from '../../table/column.ts'
import { longestExactPlaces, usualRoom } from '../../format/money.ts'
import { columnsOf } from '../../table/columns-of.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FilterSelect } from '../../table/filter-select.tsx'
import type { TableState } from '../../table/use-table-state.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChargedAmount, ChargedRequest } from './charged-request.tsx'
import { DayFilter } from '../../table/day-filter.tsx'

const KINDS = ['usage', 'credit', 'grant', 'redeem', 'refund', 'renewal', 'adjustment', 'import'] as const

/** Every change of the balance with the balance after it. */
export function LedgerTable(props: {
  readonly table: TableState
  readonly page: UseQueryResult<Page<LedgerEntryView>>
}): ReactNode {
  const t = useTexts('billing')
  const { table, page } = props
  const columns = useLedgerColumns(page.data?.data ?? NO_ENTRIES)
  return (
    <DataTable
      name="ledger"
      label={t.ledger.views.entries}
      columns={columns}
      state={table}
      page={page}
      rowId={(entry) => entry.id}
      rowName={(entry) => entry.id}
      searchLabel={null}
      filters={
        <>
          <FilterSelect
            state={table}
            name="kind"
            label={t.ledger.kind}
            options={KINDS.map((value) => ({ value, label: t.ledger.kinds[value] }))}
          />
          <DayFilter state={table} name="from" label={t.ledger.from} />
          <DayFilter state={table} name="to" label={t.ledger.to} />
        </>
      }
      empty={
        <EmptyState icon="billing" title={t.ledger.emptyTitle}>
          {t.ledger.emptyText}
        </EmptyState>
      }
    />
  )
}

const NO_ENTRIES: readonly LedgerEntryView[] = []

/** The columns of the ledger, of which `entries` are on the page: their points stand below each other. */
function useLedgerColumns(entries: readonly LedgerEntryView[]): readonly Column<LedgerEntryView>[] {
  const t = useTexts('billing')
  const format = useFormat()
  const { language } = usePreferences()
  return useMemo(() => {
    const amounts = entries.map(({ amount }) => amount)
    const balances = entries.map(({ balance_after: after }) => after)
    const places = longestExactPlaces([...amounts, ...balances])
    const roomOf = (column: readonly string[]): number => usualRoom(column.map(format.exactMoney), places)
    return columnsOf<LedgerEntryView, 'time' | 'kind' | 'reason' | 'by' | 'amount' | 'after'>(t.ledger, {
      time: {
        role: 'title',
        cell: (entry) => (
          <time dateTime={entry.created_at} title={format.second(entry.created_at)} className="whitespace-nowrap">
            {formatMoment(entry.created_at, language)}
          </time>
        ),
      },
      kind: {
        onPhone: 'plain',
        cell: (entry) => <span className="whitespace-nowrap">{t.ledger.kinds[entry.kind]}</span>,
      },
      reason: { onPhone: 'plain', cell: (entry) => <ChargedRequest entry={entry} /> },
      by: { id: 'actor', isHiddenAtFirst: true, cell: (entry) => nameOf(entry.actor, t.ledger.actors) },
      amount: {
        align: 'end',
        room: roomOf(amounts),
        onPhone: 'state',
        cell: (entry) => (
          <ChargedAmount entry={entry}>
            <Amount amount={entry.amount} places={places} format={format} />
          </ChargedAmount>
        ),
      },
      after: {
        align: 'end',
        room: roomOf(balances),
        cell: (entry) => <AlignedAmount shown={format.exactMoney(entry.balance_after)} places={places} />,
      },
    })
  }, [t, format, language, entries])
}

/** What was given has a plus and another colour; the sign tells it, too. */
function Amount(props: { readonly amount: string; readonly places: number; readonly format: Format }): ReactNode {
  const { amount, places, format } = props
  const isGiven = !amount.startsWith('-')
  return (
    <AlignedAmount
      shown={`${isGiven ? '+' : ''}${format.exactMoney(amount)}`}
      places={places}
      {...(isGiven ? { className: 'font-medium text-good' } : {})}
    />
  )
}
