import { groupNames } from '../../access/group.ts'
import { subscriptionOpened } from '../../control/audit/funding-notes.ts'
import { utcTime } from '../../core/utc-time.ts'
import { type Subscription, subscriptionTo, subscriptionStatus } from '../../access/subscription.ts'
import { subscription, plan } from '../../contract/billing.ts'
import { newId } from '../../core/ids.ts'
import { readSubscriptions, leftOf } from '../../entitlement/key-funds.ts'
import type { Store } from '../../store/store.ts'
import { accountByEmail } from './account-commands.ts'
import { auditedChange } from '../audited-change.ts'
import type { Invocation, CommandRun } from './command.ts'
import { callOwn, listOwn } from './own-routes.ts'
import { LISTED, printRows } from './print-rows.ts'
import { readDays, readMoment, readOperands } from './read-value.ts'
import { reachNodes } from './reach-nodes.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { suggestion } from '../../core/near-names.ts'
import { formatUsd } from '../../core/money.ts'
import { timeOnWire } from '../../alerts/alert-on-wire.ts'

export const createSubscription: CommandRun = (call, host) => {
  const [email, planName] = readOperands(call, { words: 'subscription create', names: ['EMAIL', 'PLAN'] })
  const nowMs = host.nowMs()
  const startsAt = readMoment(call, 'starts-at', nowMs)
  const days = readDays(call)
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    const sold = await planNamed(store, planName)
    const made = subscriptionTo(sold, {
      id: newId('sub', nowMs),
      accountId: account.id,
      nowMs,
      ...(startsAt === null ? {} : { startsAt }),
      ...(days === null ? {} : { days }),
    })
    if (made.endsAt <= nowMs) {
      throw new CommandFailure(
        `This subscription would have ended ${utcTime(made.endsAt)}: give a later --starts-at or more --days.`,
      )
    }
    const change = await auditedChange({ store, nowMs }, async ({ subscriptions }, audit) => {
      const opened = await subscriptions.open(made)
      if (opened === null) throw new CommandFailure(`The account ${email} was removed meanwhile.`)
      await audit(subscriptionOpened(made))
      return opened
    })
    await reachNodes(change.seq, { store, host, done: `${email} has the plan ${sold.name}` })
    const span = `from ${utcTime(made.startsAt)} until ${utcTime(made.endsAt)}`
    await say(store, made, { call, host, text: `${email} has the plan ${sold.name} ${span}` })
    return 0
  })
}

export const renewSubscription: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'subscription renew', names: ['ID'] })
  const days = readDays(call)
  return withStore(host, async (store) => {
    const before = await subscriptionById(store, id)
    const own = { method: 'post', answer: subscription, done: `The subscription ${id} is renewed` } as const
    const cancelled = cancelledBefore(before)
    if (days === null) {
      const says = { ...cancelled, conflict: `The plan ${before.planName} no longer exists: give --days.` }
      await callOwn({ ...own, path: `/api/subscriptions/${id}/renew`, says }, { store, host })
    } else {
      const body = { days, reason: 'by the command line' }
      await callOwn({ ...own, path: `/api/subscriptions/${id}/extend`, body, says: cancelled }, { store, host })
    }
    const after = await subscriptionById(store, id)
    await say(store, after, { call, host, text: `The plan ${after.planName} now runs until ${utcTime(after.endsAt)}` })
    return 0
  })
}

export const cancelSubscription: CommandRun = (call, host) => {
  const [id] = readOperands(call, { words: 'subscription cancel', names: ['ID'] })
  return withStore(host, async (store) => {
    const before = await subscriptionById(store, id)
    const path = `/api/subscriptions/${id}/cancel` as const
    const done = `The subscription ${id} is cancelled`
    await callOwn({ method: 'post', path, answer: subscription, done, says: cancelledBefore(before) }, { store, host })
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
    return printRows(
      rows,
      {
        ID: 'id',
        PLAN: 'plan',
        STATUS: 'status',
        STARTS: 'starts_at',
        ENDS: 'ends_at',
        GROUPS: (row) => row.groups.join(', '),
        USED: (row) =>
          row.quotas.map(({ window, used, limit }) => `$${used} of $${limit} in ${window}`).join(', ') || 'unlimited',
      },
      { call, host },
    )
  })
}

async function subscriptionById(store: Pick<Store, 'subscriptions'>, id: string): Promise<Subscription> {
  const found = await store.subscriptions.find(id)
  if (found !== null) return found
  throw new CommandFailure(`There is no subscription ${id}: "tollgate subscription list EMAIL" shows an account's.`)
}

function cancelledBefore({ id, planName }: Subscription) {
  const again = `"tollgate subscription create EMAIL ${JSON.stringify(planName)}" opens another.`
  return { subscription_cancelled: `The subscription ${id} is cancelled and stays so: ${again}` }
}

async function say(
  store: Store,
  shown: Subscription,
  { call, host, text }: { call: Invocation; host: CliHost; text: string },
): Promise<void> {
  if (!call.has('json')) {
    host.print(`${text}: ${shown.id}\n`)
    return
  }
  const [row] = await onWire([shown], store, host.nowMs())
  host.print(`${JSON.stringify(row)}\n`)
}

/** Subscriptions with the use of each of their windows. */
async function onWire(subscriptions: readonly Subscription[], store: Store, nowMs: number) {
  const group = groupNames(await store.groups.groups())
  const states = await readSubscriptions(subscriptions, store.budgets, nowMs)
  return states.map(({ subscription: sold, windows }) => ({
    id: sold.id,
    account_id: sold.accountId,
    plan: sold.planName,
    status: subscriptionStatus(sold, nowMs),
    groups: sold.groupIds.map(group),
    opens_groups: sold.opensGroups,
    starts_at: timeOnWire(sold.startsAt),
    ends_at: timeOnWire(sold.endsAt),
    cancelled_at: sold.cancelledAt === null ? null : timeOnWire(sold.cancelledAt),
    created_at: timeOnWire(sold.createdAt),
    quotas: windows.map(({ window, state }) => ({
      window,
      limit: formatUsd(state.limit),
      used: formatUsd(state.used),
      remaining: formatUsd(leftOf(state)),
      reset_at: state.endsAt === null ? null : timeOnWire(state.endsAt),
    })),
  }))
}

export const listPlans: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const rows = await listOwn('/api/plans', plan, { store, host })
    return printRows(
      rows,
      {
        ID: 'id',
        NAME: 'name',
        GROUPS: ({ groups, opens_groups: isOpen }) => `${groups.join(', ')}${isOpen ? '' : ' (opens none)'}`,
        DAYS: ({ days }) => String(days),
        PRICE: ({ price }) => `$${price}`,
        QUOTAS: ({ quotas }) => quotas.map(({ window, usd }) => `$${usd} in ${window}`).join(', ') || 'unlimited',
      },
      { call, host },
    )
  })

/** Throws CommandFailure when there is none of this name. */
export async function planNamed(store: Pick<Store, 'plans'>, name: string): Promise<Plan> {
  const plans = await store.plans.plans()
  const found = plans.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = plans.map((each) => each.name)
  const hint = suggestion(name, names) || `; there are ${names.join(', ') || 'none: add it to the declarative file'}.`
  throw new CommandFailure(`There is no plan "${name}"${hint}`)
}
