import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { modelsQuery } from '../../api/models.ts'
import { modelsDictionary } from '../../dictionaries/models.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { formatMultiplier } from '../../format/money.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FilterSelect } from '../../table/filter-select.tsx'
import type { FlatSearch } from '../../table/table-search.ts'
import { useTableState } from '../../table/use-table-state.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useModelColumns } from './model-columns.tsx'
import { groupsOf, kindsOf, listedModels, protocolsOf } from './model-list.ts'
import { wireName } from '../wire-names.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const ModelDrawer = lazyPart(() => import('./model-drawer.tsx'))

const SHOWN_AT_ONCE = 100

/** What can be called, with what it costs in each group and which keys may do it. */
export function ModelsPage(): ReactNode {
  const shared = useSharedTexts()
  const t = modelsDictionary.useTexts()
  const table = useTableState({ filters: ['group', 'kind', 'protocol'], sort: { by: 'name', order: 'asc' } })
  const models = useQuery(modelsQuery)
  const [opened, open] = useOpenModel()
  const all = models.data ?? []
  const groups = groupsOf(all)
  const columns = useModelColumns(groups.length > 1 && table.filters['group'] === undefined)
  const model = all.find(({ name }) => name === opened)
  return (
    <>
      <PageHeader title={shared.pages.models} lead={t.lead} />
      <DataTable
        name="models"
        label={shared.pages.models}
        columns={columns}
        state={table}
        page={{ ...models, data: models.data && pageAt(listedModels(models.data, table), table.cursor) }}
        rowId={({ model: { id } }) => id}
        rowName={({ model: { name } }) => name}
        onOpen={(row) => open(row.model.name)}
        searchLabel={t.search}
        filters={
          <>
            {/* Widths of their own: choices that arrive later move nothing. */}
            <div className="w-52 max-sm:w-auto max-sm:flex-1">
              <FilterSelect
                state={table}
                name="group"
                label={t.group}
                options={groups.map(({ name, multiplier }) => ({
                  value: name,
                  label: t.groupOption(name, formatMultiplier(multiplier)),
                }))}
              />
            </div>
            <div className="w-36 max-sm:w-auto max-sm:flex-1">
              <FilterSelect
                state={table}
                name="kind"
                label={t.modelKind}
                options={kindsOf(all).map((value) => ({ value, label: t.modelKinds[value] }))}
              />
            </div>
            <div className="w-44 max-sm:w-auto max-sm:flex-1">
              <FilterSelect
                state={table}
                name="protocol"
                label={t.protocol}
                options={protocolsOf(all).map((value) => ({ value, label: wireName(value) }))}
              />
            </div>
          </>
        }
        empty={
          <EmptyState icon="models" title={t.emptyTitle}>
            {t.emptyText}
          </EmptyState>
        }
      />
      {model !== undefined && <ModelDrawer model={model} onClose={() => open(null)} />}
    </>
  )
}

/** All are here already; they are only shown in parts. The cursor is where a part begins. */
function pageAt<Row>(rows: readonly Row[], cursor: string | null) {
  const start = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const end = start + SHOWN_AT_ONCE
  return { data: rows.slice(start, end), next_cursor: end < rows.length ? String(end) : null, total: rows.length }
}

/** The model whose details are open, kept in the address: `?model=gpt-5.5` can be shared. */
function useOpenModel(): readonly [string | null, (name: string | null) => void] {
  const flat: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (name: string | null): void => {
    const { model: _model, ...others } = flat
    const search = name === null ? others : { ...others, model: name }
    void navigate({ to: '.', search, resetScroll: false })
  }
  return [flat['model'] ?? null, open]
}
