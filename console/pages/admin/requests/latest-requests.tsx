import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, startTransition, useId, useMemo, useState } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { latestRequestsQuery } from '../../../api/explore.ts'
import { ExplainedCost } from '../../../costs/explained-cost.tsx'
import { useTexts } from '../../../dictionaries/texts.ts'
import { nanoOf, usdOf } from '../../../format/decimal.ts'
import { longestPlaces, usualRoom } from '../../../format/money.ts'
import { formatMoment } from '../../../format/time.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import { CardList } from '../../../table/card-list.tsx'
import type { Column } from '../../../table/column.ts'
import { RowTable } from '../../../table/row-table.tsx'
import { columnsOnPhone } from '../../../table/shown-columns.ts'
import { TableMenu } from '../../../table/table-menu.tsx'
import { useShownColumns } from '../../../table/use-shown-columns.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Button } from '../../../ui/button.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useIsNarrow } from '../../../ui/use-media.ts'
import { RecordOutcome } from '../../usage/record-outcome.tsx'
import { useRecordColumns } from '../../usage/record-columns.tsx'
import type { ExploreSearch } from './explore-search.ts'

const RecordDrawer = lazyPart(() => import('../../usage/record-drawer.tsx'))

/** The newest requests as they end, until paused, narrowed by all that the view is; each opens its record. */
export function LatestRequests({ search }: { readonly search: ExploreSearch }): ReactNode {
  const t = useTexts('requests').live
  const [isLive, setLive] = useState(true)
  const [opened, setOpened] = useState<UsageRecordView | null>(null)
  const latest = useQuery(latestRequestsQuery(filterOf(search), isLive))
  const all = useLatestColumns(latest.data?.data)
  const columns = useShownColumns('latest-requests', useIsNarrow() ? columnsOnPhone(all) : all, latest.data?.data)
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

/** So many rows are a few screens, and drawn at once; the server sends many more. */
const FIRST_ROWS = 30

/** Newest first, as the server sends them; the first of them until all are asked for. */
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
  const isCut = !areAllShown && records.length > FIRST_ROWS
  const List = isNarrow ? CardList<UsageRecordView> : RowTable<UsageRecordView>
  return (
    <>
      <List
        label={t.list}
        columns={props.columns}
        rows={isCut ? records.slice(0, FIRST_ROWS) : records}
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
        <Button className="justify-self-center" onClick={() => startTransition(() => setAllShown(true))}>
          {t.showAll(records.length)}
        </Button>
      )}
    </>
  )
}

/** The columns of a user's list of requests that say something about providers. */
const CHOSEN_LATER = [
  'key',
  'group',
  'input',
  'cache_read',
  'output',
  'first_byte',
  'attempts',
  'status',
  'protocol',
  'client',
]

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
  const room = usualRoom(
    (records ?? []).map(({ cost }) => format.money(cost)),
    places,
  )
  const { language } = usePreferences()
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
    const known = {
      align: 'end',
      isEmptyFor: ({ provider_cost: paid }: UsageRecordView) => paid === null,
    } as const
    const { time, account, model, upstream, outcome, total } = t
    const headers = { time, account, model, upstream, outcome, total, charged, cost, margin }
    const own = columnsOf<UsageRecordView, keyof typeof headers>(headers, {
      time: {
        role: 'title',
        cell: ({ created_at: at }) => (
          <time dateTime={at} title={format.second(at)} className="whitespace-nowrap">
            {formatMoment(at, language)}
          </time>
        ),
      },
      account: { onPhone: 'plain', cell: (record) => <AccountLink record={record} /> },
      model: {
        isEmptyFor: (record) => record.model === null,
        onPhone: 'plain',
        cell: (record) => <Model record={record} />,
      },
      upstream: {
        isEmptyFor: ({ attempts }) => attempts.length === 0,
        cell: ({ attempts }) => (
          <CutName text={attempts.at(-1)?.upstream ?? '–'} className="max-w-28 max-lg:max-w-full 2xl:max-w-48" />
        ),
      },
      outcome: { onPhone: 'state', cell: (record) => <RecordOutcome record={record} /> },
      total: {
        align: 'end',
        cell: ({ total_ms: ms }) => <span className="text-sm whitespace-nowrap text-ink-3">{format.duration(ms)}</span>,
      },
      charged: {
        align: 'end',
        room,
        onPhone: 'plain',
        cell: (record) => (
          <ExplainedCost requestId={record.id} known={record}>
            <AlignedAmount shown={format.money(record.cost)} places={places} />
          </ExplainedCost>
        ),
      },
      cost: { ...known, cell: (record) => amount(record.provider_cost) },
      margin: { ...known, cell: (record) => amount(marginOf(record)) },
    })
    const later = ofRecords.filter(({ id }) => CHOSEN_LATER.includes(id))
    return [...own, ...later.map((column) => ({ ...column, isHiddenAtFirst: true }))]
  }, [t, columns, format, language, ofRecords, places, room])
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
      className="inline-flex min-h-6 max-w-full items-center align-middle text-accent hover:underline"
    >
      <CutName text={record.account_email ?? record.account_id} className="max-w-36 max-lg:max-w-full 2xl:max-w-64" />
    </Link>
  )
}

/** The model, and the key in the room that is left; both whole for the pointer, and as columns for those who want them. */
function Model({ record }: { readonly record: UsageRecordView }): ReactNode {
  const about = [record.key_name, record.group].filter((name) => name !== null).join(' · ')
  return (
    <span title={about} className="flex max-w-40 min-w-0 gap-1.5 whitespace-nowrap max-lg:max-w-full 2xl:max-w-96">
      <CutName text={record.model ?? '–'} />
      <span className="min-w-0 flex-1 basis-0 truncate text-ink-3 max-lg:hidden">{record.key_name}</span>
    </span>
  )
}
