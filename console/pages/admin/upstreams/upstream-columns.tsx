import { useMemo, type ReactNode } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import type { SpendOfUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { CutName } from '../../../ui/cut-name.tsx'
import { FailedCount, FirstByte, LastFailure } from './last-failure.tsx'
import { ListChanges } from './model-list.tsx'
import { SpendToday } from './spend-today.tsx'
import { StateBadge } from './state-badge.tsx'

interface ListedUpstream {
  readonly upstream: UpstreamView
  /** null: not known yet. */
  readonly status: UpstreamStatusView | null
  /** Of today; null: nothing, or not known yet. */
  readonly spend: SpendOfUpstream | null
}

export function useUpstreamColumns(): readonly Column<ListedUpstream>[] {
  const t = useTexts('upstreams')
  const format = useFormat()
  return useMemo((): readonly Column<ListedUpstream>[] => {
    const load = ({ upstream, status }: ListedUpstream): ReactNode => {
      if (status === null) return '–'
      const used = format.number(status.in_flight)
      const limit = upstream.max_concurrency
      return limit === null ? used : t.ofLimit(used, format.number(limit))
    }
    return [
      {
        id: 'name',
        header: t.columns.name,
        role: 'title',
        cell: ({ upstream }) => <CutName text={upstream.name} className="max-w-52 2xl:max-w-md" />,
      },
      {
        id: 'state',
        header: t.columns.state,
        width: 'w-32',
        cell: ({ status }) => {
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
      { id: 'protocol', header: t.columns.protocol, width: 'w-28', cell: ({ upstream }) => upstream.protocol },
      {
        id: 'models',
        header: t.columns.models,
        align: 'end',
        width: 'w-20',
        cell: ({ upstream, status }) => (
          <>
            <span title={format.list(upstream.models)}>{format.number(upstream.models.length)}</span>
            <ListChanges list={status?.model_list ?? null} />
          </>
        ),
      },
      { id: 'load', header: t.columns.load, align: 'end', width: 'w-24', cell: load },
      {
        id: 'failed',
        header: t.columns.failed,
        align: 'end',
        width: 'w-32',
        cell: ({ status }) => <FailedCount status={status} />,
      },
      {
        id: 'first_byte',
        header: t.columns.firstByte,
        align: 'end',
        width: 'w-40',
        isHiddenAtFirst: true,
        cell: ({ status }) => <FirstByte times={status?.first_byte_ms ?? null} />,
      },
      {
        id: 'spent',
        header: t.columns.spent,
        align: 'end',
        width: 'w-36',
        cell: ({ upstream, spend }) => <SpendToday upstream={upstream} spend={spend} />,
      },
      {
        id: 'last',
        header: t.columns.last,
        width: 'w-56 2xl:w-80',
        cell: ({ status }) => <LastFailure failure={status?.last_failure ?? null} />,
      },
    ]
  }, [t, format])
}
