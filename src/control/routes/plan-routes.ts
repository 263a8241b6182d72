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
import { namedPage } from '../api/named-page.ts'
import type { ControlStores } from '../parts.ts'
import { notFound } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiRoute, routesOf, type ViewerCall } from '../api/route.ts'
import { planNote } from '../audit/funding-notes.ts'
import { addObject, deleteObject, editObject } from '../api/stored-changes.ts'
import { planSettings, planViews } from '../views/plan-view.ts'

const route = routesOf('Billing')

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
    const found = plans.find(({ id }) => id === call.params.id)
    if (found === undefined) throw notFound('plan')
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
