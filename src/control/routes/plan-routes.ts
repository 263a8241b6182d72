import type { z } from '@hono/zod-openapi'
import { changesBetween } from '../../access/audit.ts'
import type { Group } from '../../access/group.ts'
import { plan, planCreate, planPatch } from '../../contract/billing.ts'
import { namedQuery, pageOf } from '../../contract/wire-values.ts'
import { objectOf, readChanged, readNew } from '../../contract/objects/object-fields.ts'
import { PLAN } from '../../contract/objects/plan.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { Actor } from '../who/actor.ts'
import { viewerOf } from '../who/viewer.ts'
import { groupNames } from '../../access/group.ts'
import { readSetLimits } from '../account-limits.ts'
import { namedPage } from '../api/named-page.ts'
import type { ControlStores } from '../parts.ts'
import { fieldProblem, notFound } from '../api/problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type Route, route } from '../api/route.ts'
import { planNote } from '../funding-notes.ts'
import { added, deleted, edited } from '../api/stored-edit-problems.ts'
import { planSettings, planViews } from '../views/plan-view.ts'

const listPlans = route({
  method: 'get',
  path: '/api/plans',
  tag: 'Billing',
  summary: 'List the plans that are sold here',
  who: 'account',
  query: namedQuery,
  answer: pageOf(plan),
  async handle(call, { store }) {
    const [plans, view] = await Promise.all([store.plans.plans(), viewing(call, store)])
    const page = namedPage(plans, call.query, call)
    return { data: page.rows.map(view), next_cursor: page.next_cursor }
  },
})

const readPlan = route({
  method: 'get',
  path: '/api/plans/{id}',
  tag: 'Billing',
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

const createPlan = route({
  method: 'post',
  path: '/api/plans',
  tag: 'Billing',
  summary: 'Add a plan',
  who: 'books',
  body: planCreate,
  answer: plan,
  status: 201,
  problems: ['name_taken'],
  example: { body: { name: 'pro', groups: ['default'], days: 30, price: '20', quotas: [{ window: '5h', usd: '5' }] } },
  async handle(call, { store, newId }) {
    const groups = await store.groups.groups()
    const read = readNew(PLAN, call.body)
    const groupIds = idsOf(read.groups, groups)
    requireOnce(call.body)
    const made: Plan = { id: newId('pln'), ...objectOf(PLAN, { ...read, groups: groupIds }), isManaged: false }
    await call.change(async ({ plans }, audit) => {
      added(await plans.addPlan(made), 'plan')
      await audit(planNote(null, made, groupNames(groups)))
    })
    return (await viewing(call, store))(made)
  },
})

const changePlan = route({
  method: 'patch',
  path: '/api/plans/{id}',
  tag: 'Billing',
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
      const read = readChanged(PLAN, call.body, before)
      const groupIds = call.body.groups === undefined ? before.groupIds : idsOf(read.groups, groups)
      requireOnce(call.body)
      const { id, isManaged } = before
      const after = { id, ...objectOf(PLAN, { ...read, groups: groupIds }), isManaged }
      call.requireVersion({ before: planSettings(before, nameOf), after: planSettings(after, nameOf) })
      return after
    }
    const { after } = await call.change(async ({ plans }, audit) => {
      const answer = edited(await plans.editPlan(call.params.id, patched), 'plan')
      await audit(planNote(answer.before, answer.after, nameOf))
      return answer
    })
    return (await viewing(call, store))(after)
  },
})

const deletePlan = route({
  method: 'delete',
  path: '/api/plans/{id}',
  tag: 'Billing',
  summary: 'Delete a plan',
  description: 'Subscriptions run on. Refused while unused redeem codes grant it.',
  who: 'books',
  problems: ['in_use', 'managed'],
  async handle(call, { store }) {
    const groups = await store.groups.groups()
    await call.change(async ({ plans }, audit) => {
      const { before } = deleted(await plans.deletePlan(call.params.id), 'plan')
      const changes = changesBetween(planSettings(before, groupNames(groups)), {})
      await audit({ action: 'plan.delete', subject: before.id, accountId: null, changes })
    })
  },
})

export const planRoutes: readonly Route[] = [
  listPlans,
  ...listFiles(listPlans, { name: 'plans' }),
  readPlan,
  createPlan,
  changePlan,
  deletePlan,
]

async function viewing({ actor, nowMs }: { actor: Actor; nowMs: number }, store: ControlStores) {
  const [groups, viewer] = await Promise.all([store.groups.groups(), viewerOf(actor, store, nowMs)])
  return planViews(groups, viewer)
}

/** The ids of groups, each once. Throws Problem `field_invalid` for a name that none has. */
function idsOf(names: readonly string[], groups: readonly Group[]): readonly string[] {
  const idByName = new Map(groups.map((group) => [group.name, group.id]))
  const ids = names.map((name, index) => {
    const id = idByName.get(name)
    if (id !== undefined) return id
    throw fieldProblem(`groups.${index}`, `groups.${index} names no group that is there: add the group first.`)
  })
  return [...new Set(ids)]
}

/** Throws Problem `field_invalid` where a window of quotas or limits stands twice. */
function requireOnce({ quotas = [], limits }: z.output<typeof planPatch>): void {
  const windows = quotas.map(({ window }) => window)
  const twice = windows.findIndex((window, index) => windows.indexOf(window) < index)
  if (twice >= 0) {
    throw fieldProblem(`quotas.${twice}.window`, `quotas.${twice}.window takes each window once: put one amount there.`)
  }
  readSetLimits(limits)
}
