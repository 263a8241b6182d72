import { groupNames } from '../../access/group.ts'
import { subscriptionCancelled, subscriptionLengthened, subscriptionOpened } from '../../control/audit/funding-notes.ts'
import { utcTime } from '../../core/utc-time.ts'
import { type Renewal, renewalBy, type Subscription, subscriptionTo } from '../../access/subscription.ts'
import { newId } from '../../core/ids.ts'
import { readSubscriptions } from '../../entitlement/key-funds.ts'
import type { Store } from '../../store/store.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import type { Call, CommandRun } from './command.ts'
import { planNamed } from './plan-commands.ts'
import { readDays, readMoment, readOperands } from './read-value.ts'
import { reachNodes } from './reach-nodes.ts'
import { textTable } from './text-table.ts'
import { subscriptionOnWire } from './wire-forms.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure } from './cli-host.ts'
import type { CliHost } from './cli-host.ts'

export const createSubscription: CommandRun = (call, host) => {
  const [email, planName] = readOperands(call, { words: 'subscription create', names: ['EMAIL', 'PLAN'] })
  const nowMs = host.nowMs()
  const startsAt = readMoment(call, 'starts-at', nowMs)
  const days = readDays(call)
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    const plan = await planNamed(store, planName)
    const subscription = subscriptionTo(plan, {
      id: newId('sub', nowMs),
      accountId: account.id,
      nowMs,
      ...(startsAt === null ? {} : { startsAt }),
      ...(days === null ? {} : { days }),
    })
    if (subscription.endsAt <= nowMs) {
      throw new CommandFailure(
        `This subscription would have ended ${utcTime(subscription.endsAt)}: give a later --starts-at or more --days.`,
      )
    }
    const change = await changeByCli({ store, nowMs }, async ({ subscriptions }, audit) => {
      const opened = await subscriptions.open(subscription)
      if (opened === null) throw new CommandFailure(`The account ${email} was removed meanwhile.`)
      await audit(subscriptionOpened(subscription))
      return opened
    })
    await reachNodes(change.seq, { store, host, done: `${email} has the plan ${plan.name}` })
    const span = `from ${utcTime(subscription.startsAt)} until ${utcTime(subscription.endsAt)}`
    await say(store, subscription, { call, host, text: `${email} has the plan ${plan.name} ${span}` })
    return 0
  })
}

export const renewSubscription: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'subscription renew', names: ['ID'] })
  const days = readDays(call)
  return withStore(host, async (store) => {
    const before = await subscriptionById(store, id)
    const renewal = await renewalOf(before, { store, days })
    const nowMs = host.nowMs()
    const { change, after } = await changeByCli({ store, nowMs }, async (stores, audit) => {
      const renewed = await stores.subscriptions.renew(id, renewal, nowMs)
      if (renewed === null) throw isCancelled(before)
      const now = await subscriptionById(stores, id)
      const action = days === null ? 'subscription.renew' : 'subscription.extend'
      await audit(subscriptionLengthened(before, now.endsAt, action))
      return { change: renewed, after: now }
    })
    await reachNodes(change.seq, { store, host, done: `The subscription ${id} is renewed` })
    await say(store, after, { call, host, text: `The plan ${after.planName} now runs until ${utcTime(after.endsAt)}` })
    return 0
  })
}

export const cancelSubscription: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'subscription cancel', names: ['ID'] })
  return withStore(host, async (store) => {
    const before = await subscriptionById(store, id)
    const nowMs = host.nowMs()
    const change = await changeByCli({ store, nowMs }, async ({ subscriptions }, audit) => {
      const cancelled = await subscriptions.cancel(id, nowMs)
      if (cancelled === null) throw isCancelled(before)
      await audit(subscriptionCancelled(before, nowMs))
      return cancelled
    })
    await reachNodes(change.seq, { store, host, done: `The subscription ${id} is cancelled` })
    const after = await subscriptionById(store, id)
    await say(store, after, { call, host, text: `The plan ${after.planName} is cancelled; it pays for nothing more` })
    return 0
  })
}

export const listSubscriptions: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'subscription list', names: ['EMAIL'] })
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    const subscriptions = await store.subscriptions.list(account.id, LISTED)
    const rows = await onWire(subscriptions, store, host.nowMs())
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [
      row.id,
      row.plan,
      row.status,
      row.starts_at,
      row.ends_at,
      row.groups.join(', '),
      row.quotas.map(({ window, used, limit }) => `$${used} of $${limit} in ${window}`).join(', ') || 'unlimited',
    ])
    host.print(textTable([['ID', 'PLAN', 'STATUS', 'STARTS', 'ENDS', 'GROUPS', 'USED'], ...cells]))
    if (subscriptions.length === LISTED) host.remark(`Only the newest ${LISTED} are shown.\n`)
    return 0
  })
}

const LISTED = 1000

async function subscriptionById(store: Pick<Store, 'subscriptions'>, id: string): Promise<Subscription> {
  const subscription = await store.subscriptions.find(id)
  if (subscription !== null) return subscription
  throw new CommandFailure(`There is no subscription ${id}: "tollgate subscription list EMAIL" shows an account's.`)
}

/** For how long the plan is sold today where `days` is null. With other days nothing is added to a quota for the whole term. */
async function renewalOf(
  { planId, planName }: Subscription,
  { store, days }: { store: Store; days: number | null },
): Promise<Renewal> {
  if (days !== null) return { days, termUsd: null }
  const plan = (await store.plans.plans()).find(({ id }) => id === planId)
  if (plan === undefined) throw new CommandFailure(`The plan ${planName} no longer exists: give --days.`)
  return renewalBy(plan)
}

function isCancelled({ id, planName }: Subscription): CommandFailure {
  return new CommandFailure(
    `The subscription ${id} is cancelled and stays so: "tollgate subscription create EMAIL ${JSON.stringify(planName)}" opens another.`,
  )
}

async function say(
  store: Store,
  subscription: Subscription,
  { call, host, text }: { call: Call; host: CliHost; text: string },
): Promise<void> {
  if (!call.has('json')) {
    host.print(`${text}: ${subscription.id}\n`)
    return
  }
  const [row] = await onWire([subscription], store, host.nowMs())
  host.print(`${JSON.stringify(row)}\n`)
}

async function onWire(subscriptions: readonly Subscription[], store: Store, nowMs: number) {
  const group = groupNames(await store.groups.groups())
  const states = await readSubscriptions(subscriptions, store.budgets, nowMs)
  return states.map((state) => subscriptionOnWire(state, { group, nowMs }))
}
