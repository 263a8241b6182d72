import { subscriptionTo } from '../../access/subscription.ts'
import { DAY_MS } from '../../core/durations.ts'
import { newId } from '../../core/ids.ts'
import { invariant } from '../../core/invariant.ts'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { subscriptionBudget } from '../../metering/budgets/budget.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { readRedeemCode, shownParts } from '../../metering/funds/redeem-code.ts'
import type { PlannedCode, PlannedPlan, PlannedSubscription } from '../import-plan.ts'
import type { ImportedObject, ImportStores } from '../import-store.ts'
import { applyEach, EXISTS, MANAGED, stateOf } from './apply-step.ts'
import type { ImportStep, KnownRow, RowResult, RowToApply } from './apply-step.ts'
import { type FieldMarks, isAsMarked, keptNote, marksIn, marksOf, mergeFields, withMarksFor } from './field-marks.ts'

/** Plans. Returns what is sold by each, by the names that the source’s have. */
export async function applyPlans(
  step: ImportStep,
  groupIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Plan>> {
  const ids = new Map<string, string>()
  await applyEach(step, {
    kind: 'plan',
    table: 'plans',
    objects: step.plan.plans,
    idOf: ({ id }) => id,
    async apply(planned, row) {
      const { id, ...result } = await applyPlan(planned, { ...row, groupIds })
      ids.set(planned.name, id)
      return result
    },
    leave: notForSale,
  })
  const plans = await step.target.together((stores) => stores.plans.plans())
  return new Map(
    [...ids].flatMap(([name, id]) => {
      const plan = plans.find((each) => each.id === id)
      return plan === undefined ? [] : [[name, plan] as const]
    }),
  )
}

async function applyPlan(
  planned: PlannedPlan,
  { step, stores, known, groupIds }: RowToApply & { readonly groupIds: ReadonlyMap<string, string> },
): Promise<RowResult & { readonly id: string }> {
  const { days, price, quotas, opensGroups = true } = planned
  const wanted = {
    days,
    price,
    quotas,
    opensGroups,
    groupIds: planned.groups.flatMap((name) => groupIds.get(name) ?? []),
  }
  const put = (objectId: string, marks: FieldMarks) =>
    stores.imported.put(step.source, 'plan', { sourceId: planned.id, objectId, state: { ...marks } })
  const plans = await stores.plans.plans()
  const there = plans.find(({ id }) => id === known?.objectId)
  if (known === undefined || there === undefined) {
    const taken = plans.find(({ name }) => name === planned.name)
    if (taken !== undefined) return { did: 'nothing', id: taken.id, note: EXISTS }
    const id = newId('pln', step.nowMs)
    await stores.plans.addPlan({ ...wanted, id, name: planned.name, isManaged: false })
    await put(id, marksOf(step, wanted))
    return { did: 'created', id }
  }
  const { id } = there
  if (isAsMarked(step, wanted, marksIn(known))) return { did: 'nothing', id }
  // Every plan opened its groups before any said so.
  const before = withMarksFor(step, marksIn(known), { fields: ['opensGroups'], value: true })
  const { write, kept, marks } = mergeFields(step, { wanted, here: { ...there }, marks: before })
  const answer = await stores.plans.editPlan(id, (plan) => ({ ...plan, ...write }))
  if (answer.kind !== 'edited') return { did: 'nothing', id, note: MANAGED }
  await put(id, marks)
  return { did: 'changed', id, note: keptNote(kept, { groupIds: 'groups', opensGroups: 'what it opens' }) }
}

const WITHDRAWN = 'are gone from the source since: their price is 0 here, so nothing sells them'

async function notForSale({ step, stores, known }: KnownRow): Promise<RowResult> {
  const wanted = { price: ZERO_NANO_USD }
  const there = (await stores.plans.plans()).find(({ id }) => id === known.objectId)
  if (there === undefined || isAsMarked(step, wanted, marksIn(known))) return { did: 'nothing' }
  const { write, kept, marks } = mergeFields(step, { wanted, here: { ...there }, marks: marksIn(known) })
  const answer = await stores.plans.editPlan(there.id, (plan) => ({ ...plan, ...write }))
  if (answer.kind !== 'edited') return { did: 'nothing', note: MANAGED }
  await stores.imported.put(step.source, 'plan', { ...known, state: { ...marks } })
  return { did: 'changed', note: keptNote(kept, {}) ?? WITHDRAWN }
}

interface SoldTo {
  readonly accounts: ReadonlyMap<string, string>
  readonly plans: ReadonlyMap<string, Plan>
}

type SubscriptionsToApply = RowToApply & SoldTo

/** Subscriptions with what was used of their windows. One that ends some days later since is lengthened; another one is replaced. */
export async function applySubscriptions(step: ImportStep, ids: SoldTo): Promise<void> {
  await applyEach(step, {
    kind: 'subscription',
    table: 'user_subscriptions',
    objects: step.plan.subscriptions,
    idOf: ({ id }) => id,
    apply: (planned, row) => applySubscription(planned, { ...row, ...ids }),
    leave: left('subscription', async ({ known, stores }) => {
      if (await isChangedHere(known, stores))
        return 'are over at the source, and were renewed or ended here: that stays'
      await stores.subscriptions.cancel(known.objectId, step.nowMs)
      return 'are over at the source since, and here'
    }),
  })
}

async function applySubscription(planned: PlannedSubscription, about: SubscriptionsToApply): Promise<RowResult> {
  const { step, stores, plans, known } = about
  const { spent, id: sourceId, endsAt, ...terms } = planned
  const plan = plans.get(planned.plan)
  // A plan that got another name is still the same.
  const sold = stateOf(step, { ...terms, plan: plan?.id })
  const is = stateOf(step, { sold, endsAt })
  const use = stateOf(step, spent)
  if (known?.state['is'] === is && known.state['use'] === use) return { did: 'nothing' }
  const isSame = known?.state['is'] === is
  if (known !== undefined && !isSame && (await isChangedHere(known, stores))) {
    return { did: 'nothing', note: 'have another end at the source since, and were renewed or ended here: that stays' }
  }
  const isKept = isSame || (known?.state['sold'] === sold && (await lengthened(known, { endsAt, step, stores })))
  if (known !== undefined && !isKept) await stores.subscriptions.cancel(known.objectId, step.nowMs)
  const id = known !== undefined && isKept ? known.objectId : await opened(planned, about)
  for (const { window, used, endsAt: windowEndsAt } of spent) {
    const quota = (planned.quotas ?? plan?.quotas)?.find((each) => each.window === window)
    const isOver = window !== 'term' && (windowEndsAt === null || windowEndsAt <= step.nowMs)
    if (quota === undefined || isOver || (used === 0n && !isKept)) continue
    const budget = subscriptionBudget(id, quota.usd, window)
    await stores.imported.bringUse(budget, { used: nanoUsd(used), endsAt: windowEndsAt }, step.nowMs)
  }
  await stores.imported.put(step.source, 'subscription', { sourceId, objectId: id, state: { is, sold, use, endsAt } })
  return { did: known === undefined ? 'created' : 'changed' }
}

/** Lengthens it by whole days at its end, with what was used of it here; false: it has to be replaced. */
async function lengthened(
  { objectId, state }: ImportedObject,
  { endsAt, step, stores }: { readonly endsAt: number; readonly step: ImportStep; readonly stores: ImportStores },
): Promise<boolean> {
  const before = state['endsAt']
  if (typeof before !== 'number' || before <= step.nowMs) return false
  const days = (endsAt - before) / DAY_MS
  if (!Number.isInteger(days) || days < 1) return false
  return (await stores.subscriptions.renew(objectId, { days, termUsd: null }, step.nowMs)) !== null
}

/** Whether it was cancelled here, or lasts for another time than an import said. */
async function isChangedHere({ objectId, state }: ImportedObject, { subscriptions }: ImportStores): Promise<boolean> {
  const there = await subscriptions.find(objectId)
  if (there === null || state['gone'] === true) return false
  return there.cancelledAt !== null || (typeof state['endsAt'] === 'number' && there.endsAt !== state['endsAt'])
}

async function opened(
  planned: PlannedSubscription,
  { step, stores, accounts, plans }: SubscriptionsToApply,
): Promise<string> {
  const plan = plans.get(planned.plan)
  const accountId = accounts.get(planned.accountId)
  invariant(plan !== undefined && accountId !== undefined, 'what is subscribed to, and by whom, is in the plan')
  const id = newId('sub', step.nowMs)
  const { startsAt, endsAt, quotas = plan.quotas } = planned
  const sold = { ...subscriptionTo(plan, { id, accountId, nowMs: step.nowMs, startsAt }), quotas, endsAt }
  await stores.subscriptions.open(sold)
  return id
}

/**
 * Redeem codes that are worth something, as hashes, once the source takes none any more; those that were used or deleted there
 * are deleted here.
 */
export async function applyCodes(step: ImportStep, plans: ReadonlyMap<string, Plan>): Promise<void> {
  const { codes: objects } = step.plan
  await applyEach(step, {
    kind: 'code',
    table: 'redeem codes',
    objects,
    taken: step.hasSwitched ? objects : [],
    idOf: ({ id }) => id,
    apply: (planned, row) => applyCode(planned, { ...row, plans }),
    leave: left('code', async ({ known: { objectId }, stores: { redeemCodes } }) => {
      if (await redeemCodes.delete(objectId)) return 'are used or deleted at the source since, and deleted here'
      const code = await redeemCodes.find(objectId)
      return code?.redeemedAt == null ? 'are gone there and here' : TWICE
    }),
  })
}

async function applyCode(
  planned: PlannedCode,
  { step, stores, known, plans }: RowToApply & Pick<SoldTo, 'plans'>,
): Promise<RowResult> {
  if (known !== undefined) return { did: 'nothing' }
  const code = readRedeemCode(planned.code)
  if (code === null) return { did: 'nothing', note: 'have a form that cannot be redeemed here: not carried' }
  const grants = grantsOf(planned, plans)
  const id = newId('rdc', step.nowMs)
  const { start: codeStart, end: codeEnd } = shownParts(code)
  const note = `from ${step.plan.product}`
  const stored = { id, codeStart, codeEnd, grants, note, createdAt: step.nowMs, expiresAt: planned.expiresAt }
  if (!(await stores.redeemCodes.create(stored, step.hashRedeemCode(code)))) {
    return { did: 'nothing', note: 'are here already' }
  }
  await stores.imported.put(step.source, 'code', { sourceId: planned.id, objectId: id, state: {} })
  return { did: 'created' }
}

const TWICE =
  'were redeemed here, and are used or deleted at the source: one that was redeemed there too has credited twice, so look at its account'

function grantsOf({ grants }: PlannedCode, plans: ReadonlyMap<string, Plan>) {
  if ('usd' in grants) return { kind: 'balance', amount: grants.usd } as const
  const plan = plans.get(grants.plan)
  invariant(plan !== undefined, `the plan ${grants.plan} is in the plan`)
  return { kind: 'plan', planId: plan.id, planName: plan.name, days: grants.days } as const
}

/** What is done once to a row that the source has no more; `end` returns what is said of it. */
function left(kind: string, end: (row: KnownRow) => Promise<string>): (row: KnownRow) => Promise<RowResult> {
  return async (row) => {
    const note = await end(row)
    const { step, stores, known } = row
    await stores.imported.put(step.source, kind, { ...known, state: { ...known.state, is: '', gone: true } })
    return { did: 'changed', note }
  }
}
