import { nanoUsd } from '../../src/core/money.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import { balanceBudget, type Budget, keySpendBudget } from '../../src/metering/budgets/budget.ts'
import type { Charge } from '../../src/metering/settle/settlement.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import {
  aRecord,
  aSettlement,
  fundedAccount,
  leaseFor,
  NOON,
  noonClock,
  quotaOf,
  runningSubscription,
} from './store-fixtures.ts'
import type { Place } from './store-under-test.ts'

/**
 * Writes books with something of everything: account A, whose balance, quota, window, subscriptions and redeem codes were
 * used, and an account that is not damaged.
 */
export async function soundBooks(place: Place): Promise<void> {
  const where = { databaseUrl: place.databaseUrl, dataDirectory: place.directory, clock: noonClock }
  const store = await openStore({ ...where, lowBalance: nanoUsd(996n) })
  const other = await fundedAccount(store, '1')
  await store.settlements.settle([aSettlement(other.id, 50n)])
  await runningSubscription(store, other.id, { id: 'sub_other' })
  const account = { id: 'A', email: 'a@x', role: 'user', status: 'active', createdAt: 1, isManaged: false } as const
  await store.accounts.create(account, null)
  const grant = { id: 'led_grant', accountId: 'A', createdAt: 1, kind: 'grant', reason: '', actor: 'cli' } as const
  await store.ledger.post({ ...grant, amount: nanoUsd(1_000n) })
  const { leaseId } = await chargeTo(store, balanceBudget('A'), { held: 100n, cost: 0n })
  await settleByBalance(store, leaseId)
  await settleByPlans(store, leaseId)
  await settleWithoutCost(store)
  await redeemCodes(store)
  await store.close()
}

async function settleByBalance(store: Store, leaseId: string | null): Promise<void> {
  const [one, two, three] = [1n, 2n, 3n].map((cost) => aSettlement('A', cost, { leaseId }))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three requests')
  const caps = [quotaOf('K', nanoUsd(5n)), keySpendBudget('K', nanoUsd(50n), '5h')]
  const charges = await Promise.all([
    chargeTo(store, caps[0], { held: 5n, cost: 3n }),
    chargeTo(store, caps[1], { held: 3n, cost: 3n }),
  ])
  await store.settlements.settle([named(one, 'req_one'), named(two, 'req_two')])
  await store.settlements.settle([{ ...named(three, 'req_three'), charges: [...three.charges, ...charges] }])
}

/** One request that a plan and the balance pay together, one that a plan without quotas pays. */
async function settleByPlans(store: Store, leaseId: string | null): Promise<void> {
  const { windows } = await runningSubscription(store, 'A', { limits: { '5h': 60n, '7d': 90n }, id: 'sub_S' })
  await runningSubscription(store, 'A', { id: 'sub_all' })
  const charges = await Promise.all(windows.map((window) => chargeTo(store, window, { held: 30n, cost: 30n })))
  const balance = { budgetId: balanceBudget('A').id, leaseId, cost: nanoUsd(20n) }
  const both = aRecord('A', 50n, {
    id: 'req_plan',
    balancePaid: nanoUsd(20n),
    subscriptionsPaid: [
      {
        subscriptionId: 'sub_S',
        paid: nanoUsd(30n),
      },
    ],
  })
  const all = aRecord('A', 4n, {
    id: 'req_all',
    balancePaid: nanoUsd(0n),
    subscriptionsPaid: [
      {
        subscriptionId: 'sub_all',
        paid: nanoUsd(4n),
      },
    ],
  })
  await store.settlements.settle([
    { record: both, charges: [...charges, balance] },
    { record: all, charges: [] },
  ])
}

async function settleWithoutCost(store: Store): Promise<void> {
  const nothing = { tokens: NO_TOKENS, usageSource: 'none', prices: null, multiplier: null } as const
  const refused = { ...nothing, groupId: null, groupName: null, outcome: 'refused', fault: 'model_unknown' } as const
  const cut: UsageRecord = aRecord('A', 0n, { ...nothing, id: 'req_cut', outcome: 'interrupted' })
  await store.settlements.settle([
    { record: aRecord('A', 0n, { ...refused, id: 'req_refused' }), charges: [] },
    { record: cut, charges: [] },
  ])
}

async function redeemCodes(store: Store): Promise<void> {
  const plan = {
    id: 'pln_pro',
    name: 'pro',
    groupIds: ['grp_default'],
    opensGroups: true,
    days: 30,
    price: nanoUsd(1n),
    quotas: [],
  }
  await store.plans.putPlan({ ...plan, isManaged: false })
  const ofPlan = { kind: 'plan', planId: plan.id, planName: plan.name, days: plan.days } as const
  const code = { codeStart: 'a', codeEnd: 'z', note: '', createdAt: NOON, expiresAt: null }
  const redemption = { accountId: 'A', nowMs: NOON + 5, actor: 'A', entryId: 'led_redeemed' }
  await store.redeemCodes.create({ ...code, id: 'rdc_money', grants: { kind: 'balance', amount: nanoUsd(5n) } }, 'one')
  await store.redeemCodes.create({ ...code, id: 'rdc_plan', grants: ofPlan }, 'two')
  await store.redeemCodes.create(
    { ...code, id: 'rdc_unused', grants: { kind: 'balance', amount: nanoUsd(7n) } },
    'three',
  )
  await store.redeemCodes.redeem({ ...redemption, codeHash: 'one', subscriptionId: 'sub_none' })
  await store.redeemCodes.redeem({ ...redemption, codeHash: 'two', subscriptionId: 'sub_redeemed' })
}

async function chargeTo(
  store: Store,
  budget: Budget | undefined,
  { held, cost }: { held: bigint; cost: bigint },
): Promise<Charge> {
  if (budget === undefined) throw new Error('there is no budget')
  const lease = await leaseFor(store, budget, { need: held })
  return { budgetId: lease.budgetId, leaseId: lease.id, cost: nanoUsd(cost) }
}

function named<T extends { readonly record: UsageRecord }>(settlement: T, id: string): T {
  return { ...settlement, record: { ...settlement.record, id } }
}
