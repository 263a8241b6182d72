import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ledgerQuery } from '../../api/billing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { localInputOf, timeZoneHere } from '../../format/local-time.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChargedAmount, ChargedRequest } from './charged-request.tsx'

const DAY_MS = 86_400_000
const SHOWN = 20
/** A millionth of a dollar with its three digits. */
const COST_PLACES = 9

/** The newest requests of one day that the balance paid for. `from`: when it begins; `noon`: its middle. */
export function LedgerDayRequests({ from, noon }: { readonly from: string; readonly noon: string }): ReactNode {
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
