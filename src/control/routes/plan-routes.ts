import type { z } from '@hono/zod-openapi'
import { plan, planCreate, planPatch } from '../../contract/billing.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { viewerOf } from '../who/viewer.ts'
import { groupNames } from '../../access/group.ts'
import { readSetLimits, requireEachWindowOnce } from '../accounts/account-limits.ts'
import { groupIdsOf } from '../accounts/account-groups.ts'
import { namedPage } from '../api/paging.ts'
import type { ControlStores } from '../parts.ts'
import { existing } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf, type ViewerCall } from '../api/route.ts'
import { planNote } from '../audit/funding-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { planSettings, planViews } from '../views/plan-view.ts'
import { plansUse, redeemCodeBatches } from '../../contract/plan-use.ts'
import { WEEK_MS } from '../../core/durations.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

const route = routesOf('Billing')

const adminRoute = routesOf('Administration')

const NEWEST_BATCHES = 200

const readUse = route('get /api/plans/use', {
  summary: 'Read how many subscriptions of each plan run, and how many end within seven days',
  who: 'staff',
  answer: plansUse,
  async handle(call, { store }) {
    const [plans, counts] = await Promise.all([
      store.plans.plans(),
      store.subscriptions.countsByPlan(call.nowMs, call.nowMs + WEEK_MS),
    ])
    const data = plans.map(({ id }) => {
      const { running, ending } = counts.get(id) ?? { running: 0, ending: 0 }
      return { id, running, ending }
    })
    return { until: timeOnWire(call.nowMs + WEEK_MS), data }
  },
})

const listBatches = adminRoute('get /api/redeem-codes/batches', {
  summary: 'List redeem codes by what was created at once, newest first, with how many were used',
  description: `The newest ${NEWEST_BATCHES}. Codes that were deleted are not counted.`,
  who: 'staff',
  answer: redeemCodeBatches,
  async handle(_call, { store }) {
    const batches = await store.redeemCodes.batches(NEWEST_BATCHES)
    return {
      data: batches.map(({ grants, note, createdAt, expiresAt, made, used }) => ({
        kind: grants.kind,
        amount: grants.kind === 'balance' ? formatUsd(grants.amount) : null,
        plan: grants.kind === 'plan' ? grants.planName : null,
        note,
        made,
        used,
        created_at: timeOnWire(createdAt),
        expires_at: timeOrNull(expiresAt),
      })),
    }
  },
})

const listPlans = route('get /api/plans', {
  summary: 'List the plans that are sold here',
  who: 'account',
  query: namedQuery,
  answer: pageOf(plan),
  async handle(call, { store }) {
    const [plans, view] = await Promise.all([store.plans.plans(), viewing(call, store)])
    const page = namedPage(plans, call)
    return { data: page.rows.map(view), next_cursor: page.next_cursor }
  },
})

const readPlan = route('get /api/plans/{id}', {
  summary: 'Read a plan',
  who: 'account',
  answer: plan,
  async handle(call, { store }) {
    const [plans, view] = await Promise.all([store.plans.plans(), viewing(call, store)])
    const found = existing(
      plans.find(({ id }) => id === call.params.id),
      'plan',
    )
    return view(found)
  },
})

const createPlan = route('post /api/plans', {
  summary: 'Add a plan',
  who: 'books',
  body: planCreate,
  answer: plan,
  status: 201,
  problems: ['name_taken'],
  example: { body: { name: 'pro', groups: ['default'], days: 30, price: '20', quotas: [{ window: '5h', usd: '5' }] } },
  async handle(call, { store, newId }) {
    const groups = await store.groups.groups()
    requireOnce(call.body)
    const read = readNew(PLAN, call.body)
    const groupIds = groupIdsOf(read.groups, groups, 'groups')
    const made: Plan = { id: newId('pln'), ...objectOf(PLAN, { ...read, groups: groupIds }), isManaged: false }
    const note = planNote(null, made, groupNames(groups))
    await addObject(call, 'plan', { add: ({ plans }) => plans.addPlan(made), note })
    return (await viewing(call, store))(made)
  },
})

const changePlan = route('patch /api/plans/{id}', {
  summary: 'Change a plan',
  description: 'Subscriptions that were opened before keep what was sold.',
  who: 'books',
  body: planPatch,
  answer: plan,
  problems: ['name_taken', 'managed'],
  async handle(call, { store }) {
    const groups = await store.groups.groups()
    const nameOf = groupNames(groups)
    const patched = (before: Plan): Plan => {
      requireOnce(call.body)
      const read = readChanged(PLAN, call.body, before)
      const groupIds = call.body.groups === undefined ? before.groupIds : groupIdsOf(read.groups, groups, 'groups')
      const { id, isManaged } = before
      const after = { id, ...objectOf(PLAN, { ...read, groups: groupIds }), isManaged }
      call.requireVersion({ before: planSettings(before, nameOf), after: planSettings(after, nameOf) })
      return after
    }
    const after = await editObject(call, 'plan', {
      edit: ({ plans }) => plans.editPlan(call.params.id, patched),
      noteOf: (before, now) => planNote(before, now, nameOf),
    })
    return (await viewing(call, store))(after)
  },
})

const deletePlan = route('delete /api/plans/{id}', {
  summary: 'Delete a plan',
  description: 'Subscriptions run on. Refused while unused redeem codes grant it.',
  who: 'books',
  problems: ['in_use', 'managed'],
  async handle(call, { store }) {
    const nameOf = groupNames(await store.groups.groups())
    await deleteObject(call, 'plan', {
      delete: ({ plans }) => plans.deletePlan(call.params.id),
      settingsOf: (before) => planSettings(before, nameOf),
    })
  },
})

export const planRoutes: readonly ApiRoute[] = [
  readUse,
  listBatches,
  listPlans,
  ...listFiles(listPlans, { name: 'plans' }),
  readPlan,
  createPlan,
  changePlan,
  deletePlan,
]

async function viewing({ actor, nowMs }: ViewerCall, store: ControlStores) {
  const [groups, viewer] = await Promise.all([store.groups.groups(), viewerOf(actor, store, nowMs)])
  return planViews(groups, viewer)
}

/** Throws Problem `field_invalid` where a window of quotas or limits stands twice. */
function requireOnce({ quotas = [], limits }: z.output<typeof planPatch>): void {
  requireEachWindowOnce(quotas, 'quotas')
  readSetLimits(limits)
}
