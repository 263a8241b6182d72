import { useMemo, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import type { UseOfPlan } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { PlanStep } from './plan-menu.tsx'

const PlanMenu = lazyPart(() => import('./plan-menu.tsx'))

/** Plans are sold at whole cents. */
const PRICE_PLACES = 2

export interface ListedPlan {
  readonly plan: PlanView
  /** null: not known yet. */
  readonly use: UseOfPlan | null
}

export function usePlanColumns(onStep: (step: PlanStep, plan: PlanView) => void): readonly Column<ListedPlan>[] {
  const t = useTexts('plans')
  const format = useFormat()
  const mayChange = useMay('books')
  return useMemo((): readonly Column<ListedPlan>[] => {
    const counted = (id: 'running' | 'ending'): Column<ListedPlan> => ({
      id,
      header: t.columns[id],
      align: 'end',
      width: 'w-32',
      cell: ({ use }) => (use === null ? <span className="text-ink-3">–</span> : format.number(use[id])),
    })
    const actions: Column<ListedPlan> = {
      id: 'actions',
      header: t.columns.actions,
      role: 'actions',
      width: 'w-14',
      cell: ({ plan }) => (
        <span className="flex justify-end">
          <Menu onNear={PlanMenu.load} trigger={<IconButton icon="more" label={t.actionsOf(plan.name)} />}>
            <PlanMenu plan={plan} onStep={onStep} />
          </Menu>
        </span>
      ),
    }
    return [
      {
        id: 'name',
        header: t.columns.name,
        role: 'title',
        cell: ({ plan }) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <CutName text={plan.name} className="max-w-52 2xl:max-w-md" />
            {plan.managed && <Badge>{t.managedBadge}</Badge>}
          </span>
        ),
      },
      {
        id: 'price',
        header: t.columns.price,
        align: 'end',
        width: 'w-28',
        cell: ({ plan }) => (
          <AlignedAmount shown={format.money(plan.price)} places={PRICE_PLACES} title={format.exactMoney(plan.price)} />
        ),
      },
      {
        id: 'days',
        header: t.columns.days,
        align: 'end',
        width: 'w-20',
        cell: ({ plan }) => format.number(plan.days),
      },
      {
        id: 'windows',
        header: t.columns.windows,
        width: 'w-44',
        cell: ({ plan: { quotas } }): ReactNode =>
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
      {
        id: 'groups',
        header: t.columns.groups,
        width: 'w-40',
        cell: ({ plan }) => (
          <>
            <CutName text={format.list(plan.groups)} className="max-w-36 max-lg:max-w-full" />
            {!plan.opens_groups && <span className="block text-sm text-ink-3">{t.opensNone}</span>}
          </>
        ),
      },
      counted('running'),
      counted('ending'),
      ...(mayChange ? [actions] : []),
    ]
  }, [t, format, mayChange, onStep])
}
