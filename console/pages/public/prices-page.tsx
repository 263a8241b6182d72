import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { PublicModels } from '../../../src/contract/public-pages.ts'
import { instanceQuery } from '../../api/instance.ts'
import { UNIT_KINDS } from '../../api/price-kinds.ts'
import { publicModelsQuery } from '../../api/public-pages.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { isZero, longestExactPlaces } from '../../format/money.ts'
import { tokenSize } from '../../format/number.ts'
import { useFormat } from '../../format/use-format.ts'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { pageAt } from '../../table/page-at.ts'
import { useTableState } from '../../table/use-table-state.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PriceTable } from '../models/price-table.tsx'
import { PublicFrame } from './public-frame.tsx'

type PublicModel = PublicModels['data'][number]

/** A longer price stands out of its column. */
const MOST_PRICE_PLACES = 4

/** What every account can call here, and what it costs. */
export default function PricesPage(): ReactNode {
  const t = useTexts('public').models
  return (
    <PublicFrame page="models" title={t.title} lead={t.lead}>
      <Prices />
    </PublicFrame>
  )
}

function Prices(): ReactNode {
  const t = useTexts('public').models
  const table = useTableState({ filters: [], sort: { by: 'name', order: 'asc' } })
  const { data: instance } = useQuery(instanceQuery)
  const models = useQuery({ ...publicModelsQuery, enabled: instance?.public_pages.models === true })
  const [opened, setOpened] = useState<PublicModel | null>(null)
  const words = table.search.toLowerCase()
  const rows = models.data?.data.filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <>
      <DataTable
        name="public-models"
        label={t.title}
        columns={usePriceColumns(longestExactPlaces((models.data?.data ?? []).flatMap(listedPrices)))}
        state={table}
        page={{ ...models, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        onOpen={(model: PublicModel) => setOpened(model)}
        searchLabel={t.search}
        empty={
          <EmptyState icon="models" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      <Drawer isOpen={opened !== null} title={opened?.name ?? ''} onClose={() => setOpened(null)}>
        {opened !== null && (
          <>
            <p className="mb-2 text-sm text-ink-3">{t.unit}</p>
            <PriceTable
              label={t.details(opened.name)}
              model={{ price: opened.price, groups: [{ name: t.price, multiplier: '1', price: opened.price }] }}
            />
          </>
        )}
      </Drawer>
    </>
  )
}

const LISTED = ['input', 'cache_read', 'output'] as const

function listedPrices({ price }: PublicModel): readonly string[] {
  return LISTED.flatMap((kind) => price[kind] ?? [])
}

/** `places`: of the longest price. */
function usePriceColumns(places: number): readonly Column<PublicModel>[] {
  const t = useTexts('public').models
  const models = useTexts('models')
  const format = useFormat()
  return useMemo((): readonly Column<PublicModel>[] => {
    const amount = (usd: string | null): ReactNode => {
      if (usd === null) return <span className="text-ink-3">–</span>
      return isZero(usd) ? (
        models.free
      ) : (
        <AlignedAmount shown={format.exactMoney(usd)} places={Math.min(MOST_PRICE_PLACES, places)} />
      )
    }
    const price = (id: (typeof LISTED)[number], header: string): Column<PublicModel> => ({
      id,
      header,
      align: 'end',
      width: 'w-32',
      cell: (model) => amount(model.price[id]),
    })
    return [
      {
        id: 'name',
        header: t.columns.name,
        role: 'title',
        cell: ({ name, price: prices }) => (
          <span className="block min-w-0">
            <CutName text={name} className="max-w-64 2xl:max-w-md" />
            {UNIT_KINDS.flatMap((unit) => {
              const usd = prices[unit]
              return usd === null ? [] : [<UnitPrice key={unit} text={t.units[unit](format.exactMoney(usd))} />]
            })}
          </span>
        ),
      },
      { id: 'kind', header: t.columns.kind, width: 'w-28', cell: ({ kind }) => models.modelKinds[kind] },
      {
        id: 'context',
        header: t.columns.context,
        align: 'end',
        width: 'w-28',
        cell: ({ context_tokens: tokens }) =>
          tokens === null ? <span className="text-ink-3">–</span> : tokenSize(tokens),
      },
      { ...price('input', t.columns.input), onPhone: 'figure' },
      price('cache_read', t.columns.cached),
      { ...price('output', t.columns.output), onPhone: 'figure' },
    ]
  }, [t, models, format, places])
}

function UnitPrice({ text }: { readonly text: string }): ReactNode {
  return <span className="block text-sm text-ink-3">{text}</span>
}
