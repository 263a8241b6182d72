import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { upstreamSpendQuery, upstreamsQuery, upstreamStatusesQuery } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { pageAt } from '../../../table/page-at.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { CountedSince } from './last-failure.tsx'
import { useUpstreamColumns } from './upstream-columns.tsx'

const NewUpstream = lazyPart(() => import('./new-upstream.tsx'))

/** The providers that requests go to, and how they stand now. */
export default function UpstreamsPage(): ReactNode {
  const t = upstreamsDictionary.useTexts()
  const table = useTableState({ filters: [], sort: { by: 'name', order: 'asc' } })
  const upstreams = useQuery(upstreamsQuery)
  const { data: statuses } = useQuery(upstreamStatusesQuery)
  const { data: spend } = useQuery(upstreamSpendQuery)
  const columns = useUpstreamColumns()
  const mayChange = useMay('catalogue')
  const navigate = useNavigate()
  const [flat, open] = useFlatSearch()
  const { new: isNew, ...others } = flat
  const statusOf = new Map(statuses?.data.map((status) => [status.id, status]))
  const words = table.search.toLowerCase()
  const rows = upstreams.data
    ?.filter((each) => `${each.name} ${each.base_url}`.toLowerCase().includes(words))
    .map((upstream) => ({
      upstream,
      status: statusOf.get(upstream.id) ?? null,
      spend: spend?.get(upstream.name) ?? null,
    }))
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'upstream' })}>
              {t.new}
            </Button>
          )
        }
      />
      <CountedSince time={statuses?.counted_since ?? null} />
      <DataTable
        name="upstreams"
        label={t.title}
        columns={columns}
        state={table}
        page={{ ...upstreams, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ upstream }) => upstream.id}
        rowName={({ upstream }) => upstream.name}
        onOpen={({ upstream }) => void navigate({ to: ADMIN_PATHS.upstream, params: { upstreamId: upstream.id } })}
        download={{ path: '/api/upstreams', query: { search: table.search } }}
        searchLabel={t.search}
        empty={
          <EmptyState icon="globe" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      {isNew !== undefined && mayChange && <NewUpstream onClose={() => open(others)} />}
    </>
  )
}
