import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { plansQuery, plansUseQuery } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { plansDictionary } from '../../../dictionaries/plans.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { pageAt } from '../../../table/page-at.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { OrderList } from '../../billing/order-list.tsx'
import { CodeBatches } from './code-batches.tsx'
import { type ListedPlan, usePlanColumns } from './plan-columns.tsx'
import type { PlanStep } from './plan-menu.tsx'

const PlanDialogs = lazyPart(() => import('./plan-dialogs.tsx'))

/** What accounts subscribe to, and the codes that grant balance or a plan. */
export default function PlansPage(): ReactNode {
  const t = plansDictionary.useTexts()
  const table = useTableState({ filters: [], sort: { by: 'name', order: 'asc' } })
  const plans = useQuery(plansQuery)
  const { data: uses } = useQuery(plansUseQuery)
  const [flat, open] = useFlatSearch()
  const { new: wanted, edit, assign, delete: deleted, ...others } = flat
  const onStep = (step: PlanStep, { id }: PlanView): void => open({ ...others, [step]: id })
  const columns = usePlanColumns(onStep)
  const mayChange = useMay('books')
  const words = table.search.toLowerCase()
  const rows = plans.data?.data
    .filter(({ name }) => name.toLowerCase().includes(words))
    .map((plan) => ({ plan, use: uses?.get(plan.id) ?? null }))
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'plan' })}>
              {t.new}
            </Button>
          )
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <DataTable
          name="plans"
          label={t.title}
          columns={columns}
          state={table}
          page={{ ...plans, data: rows && pageAt(rows, table.cursor) }}
          rowId={({ plan }) => plan.id}
          rowName={({ plan }) => plan.name}
          {...(mayChange ? { onOpen: ({ plan }: ListedPlan) => onStep('edit', plan) } : {})}
          download={{ path: '/api/plans', query: { search: table.search } }}
          searchLabel={t.search}
          empty={
            <EmptyState icon="billing" title={t.empty.title}>
              {t.empty.text}
            </EmptyState>
          }
        />
        {/* Not while the plans are on their way: they would push it. */}
        {!plans.isPending && <CodeBatches onNew={() => open({ ...others, new: 'codes' })} />}
        {!plans.isPending && <OrderList whose="all" />}
      </div>
      {mayChange && plans.data !== undefined && (
        <PlanDialogs
          plans={plans.data.data}
          uses={uses ?? null}
          wish={{ new: wanted, edit, assign, delete: deleted }}
          onClose={() => open(others)}
        />
      )}
    </>
  )
}
