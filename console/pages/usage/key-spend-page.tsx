import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { KeySpendPageView } from '../../../src/contract/usage.ts'
import { keySpendCsvLink, keySpendQuery } from '../../api/key-spend.ts'
import { keySpendDictionary } from '../../dictionaries/key-spend.ts'
import { changeOf } from '../../format/change.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { useTableState } from '../../table/use-table-state.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SpanFields } from './span-fields.tsx'
import { useUsageSearch } from './use-usage-search.ts'

type KeySpend = KeySpendPageView['data'][number]

/** Of the sum of a key: less than a thousandth of a dollar is rare. */
const COST_PLACES = 5
const SHAPE = { filters: [], sort: { by: 'cost', order: 'desc' } } as const

/** What each key used in a span: its share of all, and how that differs from the same time before. */
export function KeySpendPage(): ReactNode {
  const t = keySpendDictionary.useTexts()
  const format = useFormat()
  const view = useUsageSearch()
  const table = useTableState(SHAPE)
  const { from, to, group, model } = view.summaryQuery
  const span = Object.fromEntries(
    Object.entries({ from, to, group, model }).filter((each): each is [string, string] => each[1] !== undefined),
  )
  const page = useQuery(keySpendQuery({ ...span, ...table.query }))
  const columns = useKeySpendColumns()
  return (
    <>
      <Link
        to={PATHS.usage}
        search={{ split: 'key' }}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline"
      >
        <Icon name="left" /> {t.back}
      </Link>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <a href={keySpendCsvLink(span)} download className={buttonClass('secondary')}>
            <Icon name="download" />
            {t.csv}
          </a>
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
        filters={<SpanFields view={view} />}
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

function useKeySpendColumns(): readonly Column<KeySpend>[] {
  const t = keySpendDictionary.useTexts()
  const format = useFormat()
  return useMemo(
    () => [
      { id: 'key', header: t.columns.key, role: 'title', sort: 'name', cell: (key) => <KeyCell spend={key} /> },
      {
        id: 'requests',
        header: t.columns.requests,
        align: 'end',
        sort: 'requests',
        sortsFirst: 'desc',
        cell: (key) => (
          <span title={key.failed === 0 ? undefined : t.failed(format.number(key.failed))}>
            {format.number(key.requests)}
          </span>
        ),
      },
      {
        id: 'tokens',
        header: t.columns.tokens,
        align: 'end',
        sort: 'tokens',
        sortsFirst: 'desc',
        cell: ({ input_tokens: input, output_tokens: output }) => (
          <span title={format.number(input + output)}>{format.compact(input + output)}</span>
        ),
      },
      {
        id: 'cost',
        header: t.columns.cost,
        align: 'end',
        sort: 'cost',
        sortsFirst: 'desc',
        cell: (key) => (
          <AlignedAmount
            shown={format.money(key.cost)}
            places={COST_PLACES}
            title={format.exactMoney(key.cost)}
            className="font-medium"
          />
        ),
      },
      { id: 'share', header: t.columns.share, align: 'end', cell: (key) => format.percent(key.share) },
      { id: 'change', header: t.columns.change, align: 'end', cell: (key) => <ChangeCell spend={key} /> },
    ],
    [t, format],
  )
}

function KeyCell({ spend }: { readonly spend: KeySpend }): ReactNode {
  const t = keySpendDictionary.useTexts()
  if (spend.name === null) return t.keyGone(spend.key_id)
  return (
    <div className="max-w-md min-w-36 py-0.5">
      <Link
        to={PATHS.key}
        params={{ keyId: spend.key_id }}
        title={spend.name}
        className="line-clamp-2 font-medium text-accent hover:underline"
      >
        {spend.name}
      </Link>
      <code className="block font-mono text-xs font-normal whitespace-nowrap text-ink-3">
        {spend.secret_start}…{spend.secret_end}
      </code>
    </div>
  )
}

function ChangeCell({ spend }: { readonly spend: KeySpend }): ReactNode {
  const t = keySpendDictionary.useTexts()
  const format = useFormat()
  const change = changeOf(spend.cost, spend.cost_before)
  const text =
    change.kind === 'fresh' || change.kind === 'same'
      ? t[change.kind]
      : `${change.kind === 'more' ? '+' : '−'}${format.percent(change.by)}`
  return (
    <span className="whitespace-nowrap" title={t.before(format.exactMoney(spend.cost_before))}>
      {text}
    </span>
  )
}
