import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { TagSpendsView } from '../../../src/contract/usage.ts'
import { tagSpendQuery } from '../../api/key-spend.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { useTableState } from '../../table/use-table-state.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useFigureColumns } from './key-spend-columns.tsx'
import { keySpendSearch } from './key-spend-search.ts'
import { SpanFields } from './span-fields.tsx'
import { UsageViews } from './usage-views.tsx'
import { useUsageSearch, type UsageView } from './use-usage-search.ts'

type TagSpend = TagSpendsView['data'][number]

const SHAPE = { filters: [], sort: { by: 'cost', order: 'desc' } } as const

/** What the keys of each tag used in a span: a tag leads to its keys. */
export default function TagSpendPage(): ReactNode {
  const t = useTexts('keySpend')
  const format = useFormat()
  const view = useUsageSearch()
  const table = useTableState(SHAPE)
  const { from, to, group, model } = view.summaryQuery
  const page = useQuery(tagSpendQuery({ from, to, group, model }))
  const columns = useTagColumns(view)
  const { data } = page
  const rows = useMemo(() => data && { data: data.data, next_cursor: null, total: data.data.length }, [data])
  return (
    <>
      <PageHeader title={t.tagTitle} lead={t.tagLead} actions={<UsageViews view={view} value="tags" />} />
      <DataTable
        name="tag-spend"
        label={t.tagList}
        columns={columns}
        state={table}
        page={{ ...page, data: rows }}
        rowId={({ tag }) => tag ?? ''}
        rowName={({ tag }) => tag ?? t.noTag}
        searchLabel={null}
        filters={<SpanFields view={view} />}
        empty={
          <EmptyState icon="usage" title={t.none}>
            {t.noneText}
          </EmptyState>
        }
      />
      {data !== undefined && data.data.length > 0 && (
        <div className="mt-3 text-sm text-ink-3">
          <p>{t.inAll(format.money(data.cost), format.time(data.from), format.time(data.to))}</p>
          <p>{t.tagTwice}</p>
        </div>
      )}
    </>
  )
}

function useTagColumns({ search }: UsageView): readonly Column<TagSpend>[] {
  const t = useTexts('keySpend')
  const figures = useFigureColumns<TagSpend>(false)
  const format = useFormat()
  const tagCell = ({ tag }: TagSpend): ReactNode =>
    tag === null ? (
      <span className="font-normal text-ink-2">{t.noTag}</span>
    ) : (
      <Link
        to={PATHS.keySpend}
        search={keySpendSearch(search, tag)}
        className="font-medium text-accent hover:underline"
      >
        {tag}
      </Link>
    )
  return [
    { id: 'tag', header: t.columns.tag, role: 'title', cell: tagCell },
    { id: 'keys', header: t.columns.keys, align: 'end', cell: ({ keys }) => format.number(keys) },
    ...figures,
  ]
}
