import { DAY_MS } from '../../src/core/durations.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { quotaPeriod, type QuotaReset } from '../../src/core/quota-period.ts'
import { keyQuotaBudget } from '../../src/metering/budgets/budget.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { GROUPS, type SeedGroup } from './catalog.ts'
import { BIG_ACCOUNT, idDigits, type SeedPlan, skewed } from './plan.ts'

export interface SeedKey {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly group: SeedGroup
  readonly status: 'active' | 'disabled' | 'deleted'
  readonly createdAt: number
  readonly expiresAt: number | null
  /** null: it has no quota. */
  readonly quota: QuotaReset | null
  /** What was charged to its quota, by budget. */
  readonly used: Map<string, { amount: bigint; endsAt: number | null }>
}

export interface SeedAccount {
  readonly id: string
  readonly createdAt: number
  readonly keys: readonly SeedKey[]
}

const NAMES = [
  'laptop',
  'Jenkins',
  'Überprüfung',
  'батч',
  '夜间任务',
  'notebook_1',
  '50%-trial',
  'agent',
  'İzmir',
  'staging',
]

/** The accounts with their keys; the first account is the big one. */
export function seedAccounts(plan: SeedPlan, random: () => number): readonly SeedAccount[] {
  const begin = plan.untilMs - plan.days * DAY_MS
  const big = Math.round(plan.keys * BIG_ACCOUNT.keys)
  const others = Math.max(1, plan.accounts - 1)
  return Array.from({ length: plan.accounts }, (_, index) => {
    const createdAt = begin - Math.floor((1 - index / plan.accounts) * 100 * DAY_MS)
    const id = firstIdAt('acc', createdAt) + idDigits(random)
    const share = Math.floor((plan.keys - big) / others) + (index <= (plan.keys - big) % others ? 1 : 0)
    const count = index === 0 ? big : share
    const keys = Array.from({ length: count }, (__, number) =>
      seedKey({ accountId: id, createdAt, number, plan }, random),
    )
    return { id, createdAt, keys }
  })
}

function seedKey(
  {
    accountId,
    createdAt: since,
    number,
    plan,
  }: { accountId: string; createdAt: number; number: number; plan: SeedPlan },
  random: () => number,
): SeedKey {
  const begin = plan.untilMs - plan.days * DAY_MS
  const createdAt = since + Math.floor(random() * (begin - since))
  const chance = random()
  return {
    id: firstIdAt('key', createdAt) + idDigits(random),
    accountId,
    name: `${NAMES[Math.floor(random() * NAMES.length)]} ${number}`,
    group: GROUPS[skewed(GROUPS.length, random)] ?? FIRST_GROUP,
    status: chance < 0.05 ? 'deleted' : chance < 0.1 ? 'disabled' : 'active',
    createdAt,
    expiresAt: random() < 0.2 ? plan.untilMs + Math.floor((random() - 0.4) * 100 * DAY_MS) : null,
    quota: random() < 0.3 ? (random() < 0.5 ? 'never' : 'monthly') : null,
    used: new Map(),
  }
}

const [FIRST_GROUP = { id: '', name: '', multiplier: 0n as never }] = GROUPS

/** The quota's budget that a charge at this moment goes to. */
export function quotaBudgetAt(key: SeedKey, reset: QuotaReset, ms: number) {
  return keyQuotaBudget(key.id, nanoUsd(0n), { reset, ...quotaPeriod(reset, ms) })
}
