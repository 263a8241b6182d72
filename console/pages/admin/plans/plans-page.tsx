import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { type CodeBatch, codeBatchesQuery, plansQuery, plansUseQuery, type UseOfPlan } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CutName, CutText } from '../../../ui/cut-name.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { OrderList } from '../../billing/order-list.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ResourcePage } from '../kit/resource-page.tsx'

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
      menu={{
        texts: t,
        // Those from the file are assigned here, and changed there alone.
        rows: ({ managed }) => [
          { icon: 'account', text: t.assign, step: 'assign' },
          managed ? { note: t.managed } : { icon: 'edit', text: t.edit, step: 'edit' },
          !managed && { icon: 'trash', text: t.delete, step: 'delete', isDangerous: true },
        ],
      }}
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
      width: of === 'running' ? 'w-20' : 'w-36',
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
        onPhone: 'figure',
        width: 'w-28',
        cell: ({ price }) => (
          <AlignedAmount shown={format.money(price)} places={PRICE_PLACES} title={format.exactMoney(price)} />
        ),
      },
      days: { align: 'end', width: 'w-20', cell: ({ days }) => format.number(days) },
      windows: {
        width: 'w-60 2xl:w-96',
        cell: ({ quotas }) =>
          quotas.length === 0 ? (
            <span className="text-ink-3">{t.unlimited}</span>
          ) : (
            <CutText
              text={quotas.map(({ window, usd }) => t.quota(format.money(usd), t.windows[window])).join(' · ')}
              className="max-w-56 2xl:max-w-92"
            />
          ),
      },
      groups: {
        width: 'w-40 2xl:w-72',
        cell: ({ groups, opens_groups: opensGroups }) => (
          <CutText
            text={opensGroups ? format.list(groups) : `${format.list(groups)} · ${t.opensNone}`}
            className="max-w-36 2xl:max-w-68"
          />
        ),
      },
      running: { ...counted('running'), onPhone: 'figure' },
      ending: counted('ending'),
    })
  }, [t, format, uses])
}

/** Redeem codes by what was created at once, with how many of them were used. */
function CodeBatches({ onNew }: { onNew(): void }): ReactNode {
  const t = useTexts('plans').codes
  const batches = useQuery(codeBatchesQuery)
  const mayCreate = useMay('books')
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <>
          <Link to={ADMIN_PATHS.codes} className={buttonClass('secondary')}>
            {t.all}
          </Link>
          {mayCreate && (
            <Button icon="plus" onClick={onNew}>
              {t.new}
            </Button>
          )}
        </>
      }
    >
      <QueryView query={batches} skeleton={<SkeletonLines />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-ink-2">{t.none}</p>
          ) : (
            <ul>
              {data.map((batch) => (
                <Batch key={`${batch.created_at} ${batch.note} ${batch.amount} ${batch.plan}`} batch={batch} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  )
}

function Batch({ batch }: { readonly batch: CodeBatch }): ReactNode {
  const t = useTexts('plans').codes
  const format = useFormat()
  const nowMs = useNow()
  const { amount, plan, made, used, expires_at: expires } = batch
  const what = amount === null ? t.plan(plan ?? '–') : t.balance(format.money(amount))
  const isOver = expires !== null && Date.parse(expires) <= nowMs
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_8rem_15rem]">
      <span className="min-w-0">
        <Link
          to={ADMIN_PATHS.codes}
          search={{ batch: batch.created_at }}
          aria-label={t.show(batch.note === '' ? what : `${what}, ${batch.note}`)}
          className="inline-flex min-h-6 touch:min-h-11 items-center font-medium [overflow-wrap:anywhere] text-accent hover:underline"
        >
          {what}
        </Link>
        {batch.note !== '' && <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">{batch.note}</span>}
      </span>
      <span>{t.used(format.number(used), format.number(made))}</span>
      <span className="text-sm text-ink-3 sm:text-right">
        <span className="block">{t.made(format.time(batch.created_at))}</span>
        {isOver ? <Badge tone="warn">{t.expired}</Badge> : expires === null ? t.never : t.expires(format.time(expires))}
      </span>
    </li>
  )
}
