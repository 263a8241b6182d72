import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keySpendCsvLink, keySpendQuery } from '../../api/key-spend.ts'
import { seeingNow } from '../../api/seeing.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { DataTable } from '../../table/data-table.tsx'
import { useTableState } from '../../table/use-table-state.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useKeySpendColumns } from './key-spend-columns.tsx'
import { SpanFields } from './span-fields.tsx'
import { UsageViews } from './usage-views.tsx'
import { useUsageSearch } from './use-usage-search.ts'

const SHAPE = { filters: [], sort: { by: 'cost', order: 'desc' } } as const

/** What each key used in a span: its share of all, and how that differs from the same time before. */
export default function KeySpendPage(): ReactNode {
  const t = useTexts('keySpend')
  const format = useFormat()
  const view = useUsageSearch()
  const table = useTableState(SHAPE)
  const { from, to, group, model } = view.summaryQuery
  const { tag } = view.search
  const span = Object.fromEntries(
    Object.entries({ from, to, group, model, tag: tag ?? undefined }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    ),
  )
  const page = useQuery(keySpendQuery({ ...span, ...table.query }))
  const columns = useKeySpendColumns()
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <>
            {/* A link goes as the admin who sees the account, not as its owner. */}
            {seeingNow() === null && (
              <a href={keySpendCsvLink(span)} download className={buttonClass('secondary')}>
                <Icon name="download" />
                {t.csv}
              </a>
            )}
            <UsageViews view={view} value="keys" />
          </>
        }
      />
      <DataTable
        name="key-spend"
        label={t.list}
        columns={columns}
        state={table}
        page={page}
        rowId={(key) => key.key_id}
        rowName={(key) => key.name ?? key.key_id}
        searchLabel={null}
        filters={
          <>
            <SpanFields view={view} />
            {tag !== null && (
              <Button icon="close" onClick={() => view.change({ tag: null })} aria-label={t.allTags(tag)}>
                {t.onlyTag(tag)}
              </Button>
            )}
          </>
        }
        empty={
          <EmptyState icon="usage" title={t.none}>
            {t.noneText}
          </EmptyState>
        }
      />
      {page.data !== undefined && page.data.data.length > 0 && (
        <p className="mt-3 text-sm text-ink-3">
          {t.inAll(format.money(page.data.cost), format.time(page.data.from), format.time(page.data.to))}
        </p>
      )}
    </>
  )
}
