import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { keyQuery } from '../../api/keys.ts'
import { usageCsvLink, usageRecordsQuery, usageSummaryQuery } from '../../api/usage.ts'
import { loadTexts, useSharedTexts } from '../../dictionaries/texts.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useFirstInput } from '../../ui/use-first-input.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { atRest } from '../../ui/when-idle.ts'
import { LIVE_RECORDS_MS, LIVE_SUMMARY_MS, pollMs } from './live.ts'
import { RecordsTable } from './records-table.tsx'
import { UsageFilterBar } from './usage-filter-bar.tsx'
import { UsageSummaryCard } from './usage-summary-card.tsx'
import { UsageViews } from './usage-views.tsx'
import { useSeriesSlots } from './use-series-slots.ts'
import { useUsageSearch } from './use-usage-search.ts'

const RecordDrawer = lazyPart(() => import('./record-drawer.tsx'))
const UnknownTries = lazyPart(async () => ({ default: (await import('./record-drawer.tsx')).UnknownTries }))

/** What was asked for and what it cost: sums over time, and every request with its price explained. */
export default function UsagePage(): ReactNode {
  const shared = useSharedTexts()
  const view = useUsageSearch()
  useFirstInput(() => {
    void loadTexts('causes')
    void loadTexts('refusals')
  })
  const summary = useQuery({
    ...usageSummaryQuery(view.summaryQuery),
    refetchInterval: pollMs(view.search, LIVE_SUMMARY_MS),
  })
  const records = useQuery({
    ...usageRecordsQuery(view.recordsQuery),
    refetchInterval: pollMs(view.search, LIVE_RECORDS_MS),
  })
  const slots = useSeriesSlots(view, summary)
  // Looked up after all else: there is hardly ever one.
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    return atRest(() => setAtRest(true))
  }, [])
  const { cursor: _cursor, limit: _limit, ...csvQuery } = view.recordsQuery
  const { record, filters } = view.search
  const listedName = records.data?.data.find(({ key_id: id }) => id === filters.key)?.key_name
  const isNameWanted = filters.key !== undefined && listedName === undefined && records.data !== undefined
  const named = useQuery({ ...keyQuery(filters.key ?? ''), enabled: isNameWanted })
  const keyName = listedName ?? named.data?.name
  return (
    <>
      <PageHeader title={shared.pages.usage} actions={<UsageViews view={view} value="requests" />} />
      <div className="grid min-w-0 gap-5">
        <UsageFilterBar view={view} keyName={keyName} csvLink={usageCsvLink(csvQuery)} />
        <UsageSummaryCard view={view} summary={summary} slots={slots} />
        {isAtRest && <UnknownTries readAtMs={records.dataUpdatedAt} />}
        <RecordsTable view={view} records={records} />
      </div>
      {record !== null && (
        <RecordDrawer
          id={record}
          known={records.data?.data.find(({ id }) => id === record)}
          onClose={() => view.change({ record: null })}
        />
      )}
    </>
  )
}
