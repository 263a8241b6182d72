import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { modelsQuery, modelTrafficQuery, type TrafficOfModel } from '../../api/models.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier } from '../../format/money.ts'
import { tokenSize } from '../../format/number.ts'
import { useFormat } from '../../format/use-format.ts'
import { wireName } from '../../format/wire-names.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FilterSelect } from '../../table/filter-select.tsx'
import { pageAt } from '../../table/page-at.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { useFlatSearch } from '../../table/use-flat-search.ts'
import { type TableState, useTableState } from '../../table/use-table-state.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NotRead } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useModelColumns } from './model-columns.tsx'
import {
  abilitiesOf,
  CONTEXTS,
  groupsOf,
  kindsOf,
  type ListedModel,
  listedModels,
  PRICES,
  protocolsOf,
} from './model-list.ts'

const ModelDrawer = lazyPart(() => import('./model-drawer.tsx'))
const CompareModels = lazyPart(() => import('./compare-models.tsx'))
const CopyModels = lazyPart(() => import('./copy-models.tsx'))

/** What can be called, with what it costs in each group, which keys may do it, and how it answers. */
export default function ModelsPage(): ReactNode {
  const shared = useSharedTexts()
  const t = useTexts('models')
  const table = useTableState({
    filters: ['group', 'kind', 'ability', 'protocol', 'context', 'price'],
    sort: { by: 'name', order: 'asc' },
  })
  const models = useQuery(modelsQuery)
  const use = useQuery(modelTrafficQuery)
  const { data: traffic } = use
  const address = useOpened()
  const [copied, setCopied] = useState<readonly ModelView[] | null>(null)
  const all = models.data ?? []
  const groups = groupsOf(all)
  const columns = useModelColumns(groups.length > 1 && table.filters['group'] === undefined)
  const model = all.find(({ name }) => name === address.model)
  const rows = listedModels(all, table, traffic)
  const compared = comparedOf(all, address.compared, traffic)
  return (
    <>
      <PageHeader title={shared.pages.models} lead={t.lead} />
      {models.error === null && <NotRead query={use} />}
      <DataTable
        name="models"
        label={shared.pages.models}
        columns={columns}
        state={table}
        page={{ ...models, data: models.data && pageAt(rows, table.cursor) }}
        rowId={({ model: { id } }) => id}
        rowName={({ model: { name } }) => name}
        onOpen={(row) => address.open({ model: row.model.name })}
        searchLabel={t.search}
        filters={<ModelFilters state={table} models={all} />}
        bulk={(chosen) => (
          <>
            <Button
              disabled={chosen.length !== 2}
              title={chosen.length === 2 ? undefined : t.compare.pickTwo}
              onClick={() => address.open({ compare: chosen[0]?.model.name, with: chosen[1]?.model.name })}
            >
              {t.compare.action}
            </Button>
            <Button icon="copy" onClick={() => setCopied(chosen.map((each) => each.model))}>
              {t.copyList.action}
            </Button>
          </>
        )}
        empty={
          <EmptyState icon="models" title={t.emptyTitle}>
            {t.emptyText}
          </EmptyState>
        }
      />
      {model !== undefined && (
        <ModelDrawer model={model} traffic={traffic?.get(model.name) ?? null} onClose={() => address.open({})} />
      )}
      {compared !== null && <CompareModels models={compared} onClose={() => address.open({})} />}
      {copied !== null && <CopyModels models={copied} onClose={() => setCopied(null)} />}
    </>
  )
}

/** Both models of the address; null: it names no two that are there. */
function comparedOf(
  models: readonly ModelView[],
  names: readonly (string | undefined)[],
  traffic: ReadonlyMap<string, TrafficOfModel> | undefined,
): readonly [ListedModel, ListedModel] | null {
  const listed = listedModels(models, { search: '', filters: {}, sort: { by: 'name', order: 'asc' } }, traffic)
  const [left, right] = names.map((name) => listed.find(({ model }) => model.name === name))
  return left === undefined || right === undefined ? null : [left, right]
}

/** What is open, kept in the address so that it can be shared: `?model=gpt-5.5`, or `?compare=a&with=b`. */
function useOpened() {
  const [flat, search] = useFlatSearch()
  const open = (shown: { model?: string; compare?: string | undefined; with?: string | undefined }): void => {
    const { model: _model, compare: _compare, with: _with, ...others } = flat
    search({ ...others, ...definedOf(shown) })
  }
  return { model: flat['model'] ?? null, compared: [flat['compare'], flat['with']], open }
}

function definedOf(search: Readonly<Record<string, string | undefined>>): FlatSearch {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Filters by group, kind, what the model takes besides text, protocol, context and price. */
function ModelFilters(props: { readonly state: TableState; readonly models: readonly ModelView[] }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { state, models } = props
  const filters = [
    {
      name: 'group',
      label: t.group,
      options: groupsOf(models).map(({ name, multiplier }) => ({
        value: name,
        label: t.groupOption(name, formatMultiplier(multiplier)),
      })),
    },
    {
      name: 'kind',
      label: t.modelKind,
      options: kindsOf(models).map((value) => ({ value, label: t.modelKinds[value] })),
    },
    {
      name: 'ability',
      label: t.supports,
      options: abilitiesOf(models).map((value) => ({ value, label: t.abilities[value] })),
    },
    {
      name: 'protocol',
      label: t.protocol,
      options: protocolsOf(models).map((value) => ({ value, label: wireName(value) })),
    },
    {
      name: 'context',
      label: t.contextFrom,
      options: CONTEXTS.map((value) => ({ value, label: t.contextAtLeast(tokenSize(Number(value))) })),
    },
    {
      name: 'price',
      label: t.priceUpTo,
      options: PRICES.map((value) => ({ value, label: t.priceAtMost(format.money(value)) })),
    },
  ]
  return filters.map((filter) => <FilterSelect key={filter.name} state={state} {...filter} />)
}
