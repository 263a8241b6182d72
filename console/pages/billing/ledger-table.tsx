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
import { columnsOf } from '../../table/columns-of.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FilterSelect } from '../../table/filter-select.tsx'
import type { TableState } from '../../table/use-table-state.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChargedAmount, ChargedRequest } from './charged-request.tsx'
import { DayFilter } from '../../table/day-filter.tsx'

/** The ledger counts in billionths of a dollar. */
const LEDGER_PLACES = 9

const KINDS = ['usage', 'credit', 'grant', 'redeem', 'refund', 'renewal', 'adjustment', 'import'] as const

/** Every change of the balance with the balance after it. */
export function LedgerTable(props: {
  readonly table: TableState
  readonly page: UseQueryResult<Page<LedgerEntryView>>
}): ReactNode {
  const t = useTexts('billing')
  const { table, page } = props
  const columns = useLedgerColumns()
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

function useLedgerColumns(): readonly Column<LedgerEntryView>[] {
  const t = useTexts('billing')
  const format = useFormat()
  const { language } = usePreferences()
  return useMemo(
    () =>
      columnsOf<LedgerEntryView, 'time' | 'kind' | 'reason' | 'by' | 'amount' | 'after'>(t.ledger, {
        time: {
          role: 'title',
          cell: (entry) => (
            <time dateTime={entry.created_at} title={format.second(entry.created_at)} className="whitespace-nowrap">
              {formatMoment(entry.created_at, language)}
            </time>
          ),
        },
        kind: { cell: (entry) => <span className="whitespace-nowrap">{t.ledger.kinds[entry.kind]}</span> },
        reason: { cell: (entry) => <ChargedRequest entry={entry} /> },
        by: { id: 'actor', isHiddenAtFirst: true, cell: (entry) => nameOf(entry.actor, t.ledger.actors) },
        amount: {
          align: 'end',
          cell: (entry) => (
            <ChargedAmount entry={entry}>
              <Amount amount={entry.amount} format={format} />
            </ChargedAmount>
          ),
        },
        after: {
          align: 'end',
          cell: (entry) => <AlignedAmount shown={format.exactMoney(entry.balance_after)} places={LEDGER_PLACES} />,
        },
      }),
    [t, format, language],
  )
}

/** What was given has a plus and another colour; the sign tells it, too. */
function Amount({ amount, format }: { readonly amount: string; readonly format: Format }): ReactNode {
  const isGiven = !amount.startsWith('-')
  return (
    <AlignedAmount
      shown={`${isGiven ? '+' : ''}${format.exactMoney(amount)}`}
      places={LEDGER_PLACES}
      {...(isGiven ? { className: 'font-medium text-good' } : {})}
    />
  )
}
