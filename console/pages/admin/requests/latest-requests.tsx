import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { latestRequestsQuery } from '../../../api/explore.ts'
import { ExplainedCost } from '../../../costs/explained-cost.tsx'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nanoOf, usdOf } from '../../../format/decimal.ts'
import { longestPlaces } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CardList } from '../../../table/card-list.tsx'
import type { Column } from '../../../table/column.ts'
import { RowTable } from '../../../table/row-table.tsx'
import { TableMenu } from '../../../table/table-menu.tsx'
import { useShownColumns } from '../../../table/use-shown-columns.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Button } from '../../../ui/button.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { FaultCode } from '../../../ui/fault-code.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useIsNarrow } from '../../../ui/use-media.ts'
import { PlainOutcome } from '../../usage/record-outcome.tsx'
import { useRecordColumns } from '../../usage/record-columns.tsx'
import type { ExploreSearch } from './explore-search.ts'

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

/** The columns of a user's list of requests that say something about providers. */
const CHOSEN_LATER = ['input', 'cache_read', 'output', 'first_byte', 'attempts', 'status', 'protocol', 'client']

/** The columns of the newest requests of all accounts, which are `records`. */
function useLatestColumns(records: readonly UsageRecordView[] | undefined): readonly Column<UsageRecordView>[] {
  const ofRecords = useRecordColumns(records)
  const { live: t, columns } = useTexts('requests')
  const format = useFormat()
  const places = longestPlaces(
    (records ?? []).flatMap((record) =>
      [record.cost, record.provider_cost, marginOf(record)].filter((amount) => amount !== null),
    ),
  )
  return useMemo((): readonly Column<UsageRecordView>[] => {
    const amount = (usd: string | null): ReactNode =>
      usd === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <AlignedAmount
          shown={format.money(usd)}
          places={places}
          title={format.exactMoney(usd)}
          className={usd.startsWith('-') ? 'text-bad' : ''}
        />
      )
    const { charged, cost, margin } = columns
    const { time, account, model, upstream, outcome, total } = t
    const headers = { time, account, model, upstream, outcome, total, charged, cost, margin }
    const own = columnsOf<UsageRecordView, keyof typeof headers>(headers, {
      time: {
        role: 'title',
        // Day and time below each other where the names beside them need the width, and never more lines.
        cell: ({ created_at: at }) => (
          <span className="inline-block text-sm [overflow-wrap:normal] break-keep lg:min-w-26 lg:max-2xl:max-w-28">
            {format.second(at)}
          </span>
        ),
      },
      account: { cell: (record) => <AccountLink record={record} /> },
      model: { cell: (record) => <ModelAndKey record={record} /> },
      upstream: {
        cell: ({ attempts }) => (
          <CutName text={attempts.at(-1)?.upstream ?? '–'} className="max-w-28 max-lg:max-w-full 2xl:max-w-48" />
        ),
      },
      outcome: {
        cell: (record) =>
          record.fault === null ? (
            <span className="[overflow-wrap:anywhere]">
              <PlainOutcome record={record} />
            </span>
          ) : (
            <FaultCode code={record.fault} />
          ),
      },
      total: {
        align: 'end',
        cell: ({ total_ms: ms }) => <span className="text-sm whitespace-nowrap text-ink-3">{format.duration(ms)}</span>,
      },
      charged: {
        align: 'end',
        cell: (record) => (
          <ExplainedCost requestId={record.id} known={record}>
            <AlignedAmount shown={format.money(record.cost)} places={places} />
          </ExplainedCost>
        ),
      },
      cost: { align: 'end', cell: (record) => amount(record.provider_cost) },
      margin: { align: 'end', cell: (record) => amount(marginOf(record)) },
    })
    const later = ofRecords.filter(({ id }) => CHOSEN_LATER.includes(id))
    return [...own, ...later.map((column) => ({ ...column, isHiddenAtFirst: true }))]
  }, [t, columns, format, ofRecords, places])
}

/** USD; null: what the provider takes is not known. */
function marginOf({ cost, provider_cost: providerCost }: UsageRecordView): string | null {
  return providerCost === null ? null : usdOf(nanoOf(cost) - nanoOf(providerCost))
}

function AccountLink({ record }: { readonly record: UsageRecordView }): ReactNode {
  return (
    <Link
      to={ADMIN_PATHS.account}
      params={{ accountId: record.account_id }}
      className="inline-block min-h-6 max-w-full text-accent hover:underline"
    >
      <CutName text={record.account_email ?? record.account_id} className="max-w-36 max-lg:max-w-full 2xl:max-w-64" />
    </Link>
  )
}

function ModelAndKey({ record }: { readonly record: UsageRecordView }): ReactNode {
  const about = [record.key_name, record.group].filter((name) => name !== null).join(' · ')
  return (
    <span className="block [overflow-wrap:anywhere]">
      <span className="font-mono text-sm">{record.model ?? '–'}</span>
      <span className="block text-sm text-ink-3">{about}</span>
    </span>
  )
}
