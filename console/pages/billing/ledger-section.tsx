import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import { ledgerQuery } from '../../api/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { timeZoneHere } from '../../format/local-time.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { useTableState } from '../../table/use-table-state.ts'
import { Segments } from '../../ui/segments.tsx'
import { LedgerDayList } from './ledger-day-list.tsx'
import { LEDGER_SHAPE, ledgerFilter, showsEntries } from './ledger-filter.ts'
import { LedgerTable } from './ledger-table.tsx'

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
