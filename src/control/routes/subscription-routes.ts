import { type AuditNote, changesBetween } from '../../access/audit.ts'
import { laterByDays, type Renewal, renewalBy, type Subscription, subscriptionTo } from '../../access/subscription.ts'
import { accountSubscriptionsQuery, subscriptionOpen } from '../../contract/accounts.ts'
import { subscription, subscriptionExtend, subscriptionRenewal, subscriptionsQuery } from '../../contract/billing.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { isForSale, type Plan } from '../../metering/funds/plan.ts'
import { formatUsd, type NanoUsd, parseUsd } from '../../core/money.ts'
import { accountIdOf, accountMeant, type Actor, hasRight, ownAccount } from '../who/actor.ts'
import { viewerOf } from '../who/viewer.ts'
import { type ListCall, onePage, placeAt, placeOf } from '../api/paging.ts'
import { subscriptionCancelled, subscriptionLengthened, subscriptionOpened } from '../audit/funding-notes.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import type { ControlParts } from '../parts.ts'
import { existing, fieldProblem, notFound, Problem } from '../problem.ts'
import { listFiles } from '../api/list-files.ts'
import { type ApiCall, type ApiRoute, routesOf, type ViewerCall } from '../api/route.ts'
import { subscriptionViews } from '../views/subscription-view.ts'

const billingRoute = routesOf('Billing')
const adminRoute = routesOf('Administration')

const listSubscriptions = billingRoute('get /api/subscriptions', {
  summary: 'List your subscriptions, newest first, with the usage of their windows',
  who: 'account',
  query: subscriptionsQuery,
  answer: pageOf(subscription),
  handle: (call, parts) => {
    const accountId = accountMeant(call, call.query.account_id) ?? ownAccount(call.actor).id
    return pageFor(accountId, call, parts)
  },
})

const listOfAccount = adminRoute('get /api/accounts/{id}/subscriptions', {
  summary: "List an account's subscriptions, newest first",
  who: 'staff',
  query: accountSubscriptionsQuery,
  answer: pageOf(subscription),
  async handle(call, parts) {
    if ((await parts.store.accounts.findById(call.params.id)) === null) throw notFound('account')
    return pageFor(call.params.id, call, parts)
  },
})

const openSubscription = adminRoute('post /api/accounts/{id}/subscriptions', {
  summary: 'Open a subscription, or extend one',
  description:
    'With "renew" the newest of that plan that was not cancelled runs for the days of the plan more: from its end while it runs, from now when it has ended; a quota for the whole term (`term`) grows by that of the plan. Without one, a new one is opened.',
  who: 'books',
  body: subscriptionOpen,
  answer: subscription,
  status: 201,
  problems: ['conflict', 'subscription_cancelled'],
  example: { body: { plan: 'pro' } },
  async handle(call, parts) {
    const { store } = parts
    const accountId = call.params.id
    const plan = (await store.plans.plans()).find(({ name }) => name === call.body.plan)
    if (plan === undefined) throw fieldProblem('plan', 'plan must name a plan that exists: see GET /api/plans.')
    const before = call.body.renew ? await newestOf(plan, accountId, parts) : null
    return changed(call, parts, (books) =>
      before === null
        ? opened(plan, accountId, { ...books, newId: parts.newId })
        : runsLonger(before, renewalBy(plan), books),
    )
  },
})

const renewSubscription = adminRoute('post /api/subscriptions/{id}/renew', {
  summary: 'Extend a subscription by a term of its plan',
  description:
    'It runs for the days of the plan more: from its end while it runs, from now when it has ended; a quota for the whole term (`term`) grows by that of the plan. As the plan is now.',
  who: 'books',
  answer: subscription,
  problems: ['conflict', 'subscription_cancelled'],
  async handle(call, parts) {
    const { store } = parts
    const before = existing(await store.subscriptions.find(call.params.id), 'subscription')
    const plan = (await store.plans.plans()).find(({ id }) => id === before.planId)
    if (plan === undefined) throw new Problem('conflict', 'Its plan was deleted. Open a subscription of another one.')
    return changed(call, parts, (books) => runsLonger(before, renewalBy(plan), books))
  },
})

const extendSubscription = adminRoute('post /api/subscriptions/{id}/extend', {
  summary: 'Let a subscription run for some days more',
  description:
    'From its end while it runs, from now when it has ended. Nothing is paid, and quotas stay as they are. The reason is in the audit.',
  who: 'books',
  body: subscriptionExtend,
  answer: subscription,
  problems: ['conflict', 'subscription_cancelled'],
  example: { body: { days: 3, reason: 'outage of 20 November' } },
  async handle(call, parts) {
    const before = existing(await parts.store.subscriptions.find(call.params.id), 'subscription')
    const { days, reason } = call.body
    return changed(call, parts, async (books) => {
      const made = await runsLonger(before, { days, termUsd: null }, books)
      const changes = { ...made.note.changes, ...changesBetween({}, { reason }) }
      return { ...made, note: { ...made.note, action: 'subscription.extend', changes } }
    })
  },
})

const cancelSubscription = adminRoute('post /api/subscriptions/{id}/cancel', {
  summary: 'End a subscription for good',
  description: 'Once this returns, it pays for nothing more on any running gateway.',
  who: 'books',
  answer: subscription,
  problems: ['subscription_cancelled'],
  async handle(call, parts) {
    const before = existing(await parts.store.subscriptions.find(call.params.id), 'subscription')
    return changed(call, parts, async ({ subscriptions, nowMs }) => {
      const change = await subscriptions.cancel(before.id, nowMs)
      if (change === null) throw isCancelled()
      return { id: before.id, change, note: subscriptionCancelled(before, nowMs) }
    })
  },
})

const renewFromBalance = billingRoute('post /api/subscriptions/{id}/renewal', {
  summary: 'Have a subscription renewed from the balance, or let it end',
  description:
    'Within an hour of its end the price of the plan at that time leaves the balance, and it runs for the days of the plan more. Where the plan costs more than `up_to` by then, is not sold any more, or the balance has too little, it ends, and its owner is alerted a day before (`renewal.failed`).',
  who: 'account',
  body: subscriptionRenewal,
  answer: subscription,
  problems: ['subscription_cancelled', 'conflict'],
  example: { body: { up_to: '20' } },
  async handle(call, parts) {
    const { store } = parts
    const before = await store.subscriptions.find(call.params.id)
    if (before === null || !isOwnOrAdmin(call.actor, before.accountId)) throw notFound('subscription')
    const upTo = call.body.up_to === null ? null : parseUsd(call.body.up_to)
    const plan = (await store.plans.plans()).find(({ id }) => id === before.planId)
    if (upTo !== null) requireAgreement(upTo, { plan, before, nowMs: call.nowMs })
    await call.change(async (stores, audit) => {
      if (!(await stores.subscriptions.setRenewal(before.id, upTo))) throw isCancelled()
      const was = before.renewsUpTo === undefined ? null : formatUsd(before.renewsUpTo)
      const changes = changesBetween({ renews_up_to: was }, { renews_up_to: upTo === null ? null : formatUsd(upTo) })
      await audit({ action: 'subscription.renewal', subject: before.id, accountId: before.accountId, changes })
    })
    return viewOf(before.id, call, parts)
  },
})

/** Nothing is renewed that has ended, or costs more than is agreed to. Throws Problem. */
function requireAgreement(
  upTo: NanoUsd,
  { plan, before, nowMs }: { plan: Plan | undefined; before: Subscription; nowMs: number },
): void {
  if (before.endsAt <= nowMs) throw new Problem('conflict', 'This subscription has ended. Open a new one.')
  if (plan === undefined || !isForSale(plan))
    throw new Problem('conflict', 'The plan of this subscription is not sold.')
  if (plan.price > upTo)
    throw fieldProblem('up_to', `up_to must be at least what the plan costs now: $${formatUsd(plan.price)}.`)
}

function isOwnOrAdmin(actor: Actor, accountId: string): boolean {
  return accountIdOf(actor) === accountId || hasRight(actor, 'admin')
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  renewFromBalance,
  listSubscriptions,
  ...listFiles(listSubscriptions, { name: 'subscriptions' }),
  listOfAccount,
  openSubscription,
  renewSubscription,
  extendSubscription,
  cancelSubscription,
]

/** Looked through for the one to renew. */
const NEWEST_LOOKED_AT = 200
/** Renewed again and again, a subscription must not come to end at a time that no calendar has. */
const LONGEST_AHEAD_DAYS = 36_500

async function pageFor(accountId: string, call: ListCall & ViewerCall, { store }: ControlParts) {
  const rows = await store.subscriptions.list(accountId, call.query.limit + 1, placeAt(call.position))
  const page = onePage(rows, call, placeOf)
  const data = await viewsFor(page.rows, call, store)
  return { data, next_cursor: page.next_cursor }
}

/** Makes a change with its audit entry, and returns the subscription once every node has it. */
async function changed(
  call: ViewerCall & Pick<ApiCall, 'change' | 'reachNodes'>,
  parts: ControlParts,
  make: (books: SubscriptionBooks) => Promise<SubscriptionChange>,
) {
  const { id, change } = await call.change(async ({ subscriptions }, audit) => {
    const made = await make({ subscriptions, nowMs: call.nowMs })
    await audit(made.note)
    return made
  })
  await call.reachNodes(change)
  return viewOf(id, call, parts)
}

async function viewOf(id: string, call: ViewerCall, { store }: ControlParts) {
  const found = await store.subscriptions.find(id)
  const [view] = await viewsFor(found === null ? [] : [found], call, store)
  return existing(view, 'subscription')
}

async function viewsFor(
  subscriptions: readonly Subscription[],
  { actor, nowMs }: ViewerCall,
  store: ControlParts['store'],
) {
  const [groups, plans, viewer] = await Promise.all([
    store.groups.groups(),
    store.plans.plans(),
    viewerOf(actor, store, nowMs),
  ])
  return subscriptionViews(subscriptions, { budgets: store.budgets, groups, plans, viewer, nowMs })
}

interface SubscriptionChange {
  readonly id: string
  readonly change: { readonly seq: number } | null
  readonly note: AuditNote
}

interface SubscriptionBooks {
  readonly subscriptions: ChangeableStores['subscriptions']
  readonly nowMs: number
}

async function opened(
  plan: Plan,
  accountId: string,
  { subscriptions, nowMs, newId }: SubscriptionBooks & Pick<ControlParts, 'newId'>,
): Promise<SubscriptionChange> {
  const made = subscriptionTo(plan, { id: newId('sub'), accountId, nowMs })
  const change = existing(await subscriptions.open(made), 'account')
  return { id: made.id, change, note: subscriptionOpened(made) }
}

async function runsLonger(
  before: Subscription,
  by: Renewal,
  { subscriptions, nowMs }: SubscriptionBooks,
): Promise<SubscriptionChange> {
  const endsAt = laterByDays(Math.max(before.endsAt, nowMs), by.days)
  if (endsAt > laterByDays(nowMs, LONGEST_AHEAD_DAYS)) {
    throw new Problem('conflict', 'The subscription would run for more than a hundred years. Add fewer days.')
  }
  const change = await subscriptions.renew(before.id, by, nowMs)
  if (change === null) throw isCancelled()
  return { id: before.id, change, note: subscriptionLengthened(before, endsAt) }
}

async function newestOf(plan: Plan, accountId: string, { store }: ControlParts): Promise<Subscription | null> {
  const newest = await store.subscriptions.list(accountId, NEWEST_LOOKED_AT)
  return newest.find(({ planId, cancelledAt }) => planId === plan.id && cancelledAt === null) ?? null
}

function isCancelled(): Problem {
  return new Problem('subscription_cancelled', 'This subscription is cancelled and cannot be resumed. Open a new one.')
}
