import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { latestRequestsQuery } from '../../../api/explore.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CardList } from '../../../table/card-list.tsx'
import type { Column } from '../../../table/column.ts'
import { RowTable } from '../../../table/row-table.tsx'
import { TableMenu } from '../../../table/table-menu.tsx'
import { useShownColumns } from '../../../table/use-shown-columns.ts'
import { Button } from '../../../ui/button.tsx'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useIsNarrow } from '../../../ui/use-media.ts'
import type { ExploreSearch } from './explore-search.ts'
import { useLatestColumns } from './latest-columns.tsx'

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

/** So many cards are a few screens of a phone; a table shows all that the server sends. */
const FIRST_CARDS = 30

/** Newest first, as the server sends them; on narrow windows cards, so that no amount is out of sight. */
function LatestList(props: {
  readonly records: readonly UsageRecordView[]
  readonly columns: readonly Column<UsageRecordView>[]
  onOpen(record: UsageRecordView): void
}): ReactNode {
  const { live: t } = useTexts('requests')
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const [areAllShown, setAllShown] = useState(false)
  const { records } = props
  const isCut = isNarrow && !areAllShown && records.length > FIRST_CARDS
  const List = isNarrow ? CardList<UsageRecordView> : RowTable<UsageRecordView>
  return (
    <>
      <List
        label={t.list}
        columns={props.columns}
        rows={isCut ? records.slice(0, FIRST_CARDS) : records}
        isStale={false}
        sort={{ by: 'created_at', order: 'desc' }}
        onSort={() => {}}
        rowId={({ id }) => id}
        rowName={({ created_at: at }) => format.second(at)}
        onOpen={props.onOpen}
        selected={null}
        onSelected={() => {}}
      />
      {isCut && (
        <Button className="justify-self-center" onClick={() => setAllShown(true)}>
          {t.showAll(records.length)}
        </Button>
      )}
    </>
  )
}
