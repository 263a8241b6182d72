import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { plansQuery, plansUseQuery, type UseOfPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { OrderList } from '../../billing/order-list.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ResourcePage } from '../kit/resource-page.tsx'
import { CodeBatches } from './code-batches.tsx'

const PlanMenu = lazyPart(() => import('./plan-menu.tsx'))
const PlanDialogs = lazyPart(() => import('./plan-dialogs.tsx'))

/** What accounts subscribe to, and the codes that grant balance or a plan. */
export default function PlansPage(): ReactNode {
  const t = useTexts('plans')
  const plans = useQuery(plansQuery)
  const { data: uses = null } = useQuery(plansUseQuery)
  const items = plans.data?.data
  return (
    <ResourcePage
      name="plans"
      icon="billing"
      texts={t}
      kind="plan"
      right="books"
      query={plans}
      items={items}
      nameOf={({ name }) => name}
      columns={usePlanColumns(uses)}
      sort={{ by: 'name', order: 'asc' }}
      menu={{ Part: PlanMenu, texts: t }}
      download="/api/plans"
      steps={['edit', 'assign', 'delete']}
      dialog={(asked, onClose) =>
        // The form of codes begins with the first plan.
        items !== undefined && <PlanDialogs asked={asked} plans={items} uses={uses} onClose={onClose} />
      }
      more={(onNew) =>
        // Not while the plans are on their way: they would push it.
        !plans.isPending && (
          <>
            <CodeBatches onNew={() => onNew('codes')} />
            <OrderList whose="all" />
          </>
        )
      }
    />
  )
}

/** Plans are sold at whole cents. */
const PRICE_PLACES = 2

/** What is listed of each plan. `uses`: by the ids of plans; null while it is not known. */
function usePlanColumns(uses: ReadonlyMap<string, UseOfPlan> | null): readonly Column<PlanView>[] {
  const t = useTexts('plans')
  const format = useFormat()
  return useMemo(() => {
    const counted = (of: 'running' | 'ending'): Omit<Column<PlanView>, 'id' | 'header'> => ({
      align: 'end',
      width: 'w-32',
      cell: ({ id }) => {
        const use = uses?.get(id)
        return use === undefined ? <span className="text-ink-3">–</span> : format.number(use[of])
      },
    })
    return columnsOf<PlanView, keyof typeof t.columns>(t.columns, {
      name: {
        role: 'title',
        cell: ({ name, managed }) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <CutName text={name} className="max-w-52 2xl:max-w-md" />
            {managed && <Badge>{t.managedBadge}</Badge>}
          </span>
        ),
      },
      price: {
        align: 'end',
        width: 'w-28',
        cell: ({ price }) => (
          <AlignedAmount shown={format.money(price)} places={PRICE_PLACES} title={format.exactMoney(price)} />
        ),
      },
      days: { align: 'end', width: 'w-20', cell: ({ days }) => format.number(days) },
      windows: {
        width: 'w-44',
        cell: ({ quotas }) =>
          quotas.length === 0 ? (
            <span className="text-ink-3">{t.unlimited}</span>
          ) : (
            quotas.map(({ window, usd }) => (
              <span key={window} className="block whitespace-nowrap">
                {t.quota(format.money(usd), t.windows[window])}
              </span>
            ))
          ),
      },
      groups: {
        width: 'w-40',
        cell: ({ groups, opens_groups: opensGroups }) => (
          <>
            <CutName text={format.list(groups)} className="max-w-36 max-lg:max-w-full" />
            {!opensGroups && <span className="block text-sm text-ink-3">{t.opensNone}</span>}
          </>
        ),
      },
      running: counted('running'),
      ending: counted('ending'),
    })
  }, [t, format, uses])
}
