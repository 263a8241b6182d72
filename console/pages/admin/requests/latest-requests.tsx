import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { latestRequestsQuery } from '../../../api/explore.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { TableMenu } from '../../../table/table-menu.tsx'
import { useShownColumns } from '../../../table/use-shown-columns.ts'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { ExploreSearch } from './explore-search.ts'
import { useLatestColumns } from './latest-columns.tsx'
import { LatestList } from './latest-list.tsx'

const RecordDrawer = lazyPart(() => import('../../usage/record-drawer.tsx'))

/** The newest requests as they end, until paused, narrowed by all that the view is; each opens its record. */
export function LatestRequests({ search }: { readonly search: ExploreSearch }): ReactNode {
  const t = useTexts('requests').live
  const [isLive, setLive] = useState(true)
  const [opened, setOpened] = useState<UsageRecordView | null>(null)
  const latest = useQuery(latestRequestsQuery(filterOf(search), isLive))
  const columns = useShownColumns('latest-requests', useLatestColumns(latest.data?.data))
  const id = useId()
  return (
    // Not on paper of its own: the list is, and needs the width.
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={id} className="text-lg">
            {t.title}
          </h2>
          <p className="mt-0.5 max-w-[65ch] text-ink-2">{t.lead}</p>
        </div>
        {/* At the end also where they stand below the title: the first of them has no edge to begin with. */}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <DownloadMenu path="/api/usage" query={{ account_id: '*', ...filterOf(search) }} isQuiet />
          <TableMenu columns={columns} />
          <Button icon={isLive ? 'pause' : 'play'} aria-pressed={!isLive} onClick={() => setLive(!isLive)}>
            {isLive ? t.pause : t.resume}
          </Button>
        </div>
      </div>
      <QueryView query={latest} skeleton={<Skeleton className="h-60 rounded-lg" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="card p-4 text-ink-2">{search.said === null ? t.empty : t.notFound}</p>
          ) : (
            <LatestList records={data} columns={columns.shown} onOpen={setOpened} />
          )
        }
      </QueryView>
      {opened !== null && <RecordDrawer id={opened.id} known={opened} onClose={() => setOpened(null)} />}
    </section>
  )
}

function filterOf({ filters, said }: ExploreSearch): Readonly<Record<string, string>> {
  const { account, ...others } = filters
  return {
    ...others,
    ...(account === undefined ? {} : { account_id: account }),
    ...(said === null ? {} : { said }),
  }
}
