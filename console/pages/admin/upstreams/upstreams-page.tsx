import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import {
  type SpendOfUpstream,
  upstreamSpendQuery,
  upstreamsQuery,
  upstreamStatusesQuery,
} from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { isZero } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ResourcePage } from '../kit/resource-page.tsx'
import { CountedSince, FailedCount, FirstByte, LastFailure, StateBadge } from './last-failure.tsx'
import { ListChanges } from './model-list.tsx'
import { spentOf } from './spent-of.ts'

const NewUpstream = lazyPart(() => import('./new-upstream.tsx'))

/** The providers that requests go to, and how they stand now. */
export default function UpstreamsPage(): ReactNode {
  const t = useTexts('upstreams')
  const upstreams = useQuery(upstreamsQuery)
  const { data: statuses } = useQuery(upstreamStatusesQuery)
  const { data: spend } = useQuery(upstreamSpendQuery)
  const navigate = useNavigate()
  return (
    <ResourcePage
      name="upstreams"
      icon="globe"
      texts={t}
      kind="upstream"
      right="catalogue"
      query={upstreams}
      items={upstreams.data}
      nameOf={({ name }) => name}
      searched={({ name, base_url: address }) => [`${name} ${address}`]}
      columns={useUpstreamColumns(statuses?.data, spend)}
      sort={{ by: 'name', order: 'asc' }}
      onOpen={({ id }) => void navigate({ to: ADMIN_PATHS.upstream, params: { upstreamId: id } })}
      download="/api/upstreams"
      steps={[]}
      dialog={(_asked, onClose) => <NewUpstream onClose={onClose} />}
      notes={<CountedSince time={statuses?.counted_since ?? null} />}
    />
  )
}

/** What is listed of each upstream. `statuses` and `spend` (by names): undefined while they are not known. */
function useUpstreamColumns(
  statuses: readonly UpstreamStatusView[] | undefined,
  spend: ReadonlyMap<string, SpendOfUpstream> | undefined,
): readonly Column<UpstreamView>[] {
  const t = useTexts('upstreams')
  const format = useFormat()
  return useMemo(() => {
    const byId = new Map(statuses?.map((status) => [status.id, status]))
    const statusOf = ({ id }: UpstreamView): UpstreamStatusView | null => byId.get(id) ?? null
    return columnsOf<UpstreamView, keyof typeof t.columns>(t.columns, {
      name: { role: 'title', cell: ({ name }) => <CutName text={name} className="max-w-52 2xl:max-w-md" /> },
      state: {
        width: 'w-32',
        onPhone: 'state',
        cell: (upstream) => {
          const status = statusOf(upstream)
          const paused = status?.models.length ?? 0
          return (
            <>
              <StateBadge state={status?.state ?? null} />
              {paused > 0 && (
                <span className="block text-xs text-ink-3">{t.paused(paused, format.number(paused))}</span>
              )}
            </>
          )
        },
      },
      protocol: { width: 'w-28', cell: ({ protocol }) => protocol },
      models: {
        align: 'end',
        width: 'w-20',
        cell: (upstream) => (
          <>
            <span title={format.list(upstream.models)}>{format.number(upstream.models.length)}</span>
            <ListChanges list={statusOf(upstream)?.model_list ?? null} />
          </>
        ),
      },
      load: {
        align: 'end',
        width: 'w-24',
        cell: (upstream) => {
          const status = statusOf(upstream)
          if (status === null) return '–'
          const used = format.number(status.in_flight)
          const limit = upstream.max_concurrency
          return limit === null ? used : t.ofLimit(used, format.number(limit))
        },
      },
      failed: {
        align: 'end',
        width: 'w-32',
        onPhone: 'figure',
        cell: (upstream) => <FailedCount status={statusOf(upstream)} />,
      },
      firstByte: {
        id: 'first_byte',
        align: 'end',
        width: 'w-40',
        isHiddenAtFirst: true,
        cell: (upstream) => <FirstByte times={statusOf(upstream)?.first_byte_ms ?? null} />,
      },
      spent: {
        align: 'end',
        onPhone: 'figure',
        width: 'w-36',
        cell: (upstream) => <SpendToday upstream={upstream} spend={spend?.get(upstream.name) ?? null} />,
      },
      last: {
        width: 'w-56 2xl:w-80',
        cell: (upstream) => <LastFailure failure={statusOf(upstream)?.last_failure ?? null} />,
      },
    })
  }, [t, format, statuses, spend])
}

/** Caps are whole cents. */
const CAP_PLACES = 2

/** What was spent at an upstream today, of its cap where it has one. `spend`: null: nothing, or not known yet. */
function SpendToday(props: {
  readonly upstream: Pick<UpstreamView, 'spend_caps'>
  readonly spend: SpendOfUpstream | null
}): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const { upstream, spend } = props
  const cap = upstream.spend_caps.find(({ model }) => model === null)
  if (cap !== undefined) {
    const used = t.ofLimit(format.money(cap.spent_today), format.money(cap.spend_per_day))
    return <AlignedAmount shown={cap.shadow ? t.shadow.cap(used) : used} places={CAP_PLACES} />
  }
  if (spend === null) return <span className="text-ink-3">–</span>
  const { amount, known } = spentOf(spend)
  return (
    <>
      <AlignedAmount shown={format.money(amount)} places={CAP_PLACES} />
      {!isZero(amount) && (
        <span className="block text-xs whitespace-nowrap text-ink-3" title={t.spending[known].text}>
          {t.spending[known].name}
        </span>
      )}
    </>
  )
}
