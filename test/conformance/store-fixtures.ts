import type { Account } from '../../src/access/account.ts'
import type { NewKey } from '../../src/access/api-key.ts'
import type { Subscription } from '../../src/access/subscription.ts'
import { UNSET } from '../../src/access/key-settings.ts'
import type { Clock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { type NanoUsd, nanoUsd, ONE_PPM, parseUsd } from '../../src/core/money.ts'
import type { QuotaWindow } from '../../src/core/quota-window.ts'
import { NO_TOKENS } from '../../src/core/tokens.ts'
import {
  balanceBudget,
  type Budget,
  type GrantAnswer,
  keyQuotaBudget,
  subscriptionBudget,
} from '../../src/metering/budgets/budget.ts'
import type { Charge, Settlement } from '../../src/metering/settle/settlement.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import type { Store } from '../../src/store/store.ts'

/** 2026-11-21 12:00 UTC, a Saturday. */
export const NOON = Date.UTC(2026, 10, 21, 12)
export const noonClock: Clock = { now: () => NOON, elapsed: () => performance.now() }

export function anAccount(over: Partial<Account> = {}): Account {
  const id = newId('acc', NOON)
  return { id, email: `${id}@example.test`, role: 'user', status: 'active', createdAt: NOON, isManaged: false, ...over }
}

/** An account in the store, with this balance. */
export async function fundedAccount(store: Store, usd: string): Promise<Account> {
  const account = anAccount()
  await store.accounts.create(account, null)
  await store.ledger.post(aPosting(account.id, usd))
  return account
}

export function aPosting(accountId: string, usd: string) {
  return {
    id: newId('led', NOON),
    accountId,
    createdAt: NOON,
    kind: usd.startsWith('-') ? 'adjustment' : 'grant',
    amount: parseUsd(usd),
    reason: 'a test',
    actor: 'cli',
  } as const
}

export function aKey(accountId: string, over: Partial<NewKey> = {}): NewKey {
  return {
    id: newId('key', NOON),
    accountId,
    name: 'laptop',
    groupId: 'grp_default',
    fallbackGroupIds: [],
    ...UNSET,
    createdAt: NOON,
    isManaged: false,
    ...over,
  }
}

export function aSecret(hash = newId('key', NOON)) {
  return { hash, start: 'sk-tg-abcd', end: 'wxyz' }
}

export interface GrantWish {
  readonly need: bigint
  readonly want?: bigint
  readonly forRequest?: bigint | null
  readonly nodeId?: string
  readonly nowMs?: number
}

export function grant(store: Store, budget: Budget, wish: GrantWish): Promise<GrantAnswer> {
  const { need, want = need, forRequest = need, nodeId = 'nod_a', nowMs = NOON } = wish
  return store.leases.grant({
    nodeId,
    budget,
    newLeaseId: newId('lse', nowMs),
    need: nanoUsd(need),
    want: nanoUsd(want),
    forRequest: forRequest === null ? null : nanoUsd(forRequest),
    nowMs,
  })
}

/** The lease of a grant that must not be refused. */
export async function leaseFor(store: Store, budget: Budget, wish: GrantWish) {
  const answer = await grant(store, budget, wish)
  if (answer.kind === 'refused') throw new Error(`refused: ${answer.available} of ${answer.limit} are available`)
  return answer.lease
}

/** The period of a key's quota that runs at `NOON`, for a quota that never resets. */
export function quotaOf(keyId: string, limit: NanoUsd): Budget {
  return keyQuotaBudget(keyId, limit, { reset: 'never', startsAt: 0, endsAt: null })
}

/** Each account in these tests has one key. */
function keyOf(accountId: string): string {
  return `key_of_${accountId}`
}

/** A million output tokens at a price of `cost` for a million: so any amount can be the cost. */
export function aRecord(accountId: string, cost: bigint, over: Partial<UsageRecord> = {}): UsageRecord {
  const tokens = { ...NO_TOKENS, input: 0, output: 1_000_000 }
  const prices = {
    input: nanoUsd(1n),
    output: nanoUsd(cost),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  }
  return {
    id: newId('req', NOON),
    createdAt: NOON,
    accountId,
    keyId: keyOf(accountId),
    keyName: 'laptop',
    groupId: 'grp_default',
    groupName: 'default',
    model: 'gpt-5.5',
    upstreamName: 'openai-main',
    upstreamModel: 'gpt-5.5',
    credentialName: 'main',
    wire: 'openai-chat',
    isStream: false,
    outcome: 'completed',
    fault: null,
    httpStatus: 200,
    tokens,
    usageSource: 'reported',
    isCapped: false,
    usageNotes: [],
    terms: null,
    prices,
    multiplier: ONE_PPM,
    cost: nanoUsd(cost),
    balancePaid: nanoUsd(cost),
    providerCost: null,
    subscriptionsPaid: [],
    attempts: [{ upstreamName: 'openai-main', model: 'gpt-5.5', fault: null, status: 200, totalMs: 12 }],
    routeTrace: null,
    faultFacts: null,
    limitsLeft: null,
    deviceSecret: null,
    client: 'OpenAI/JS 7.55.0',
    firstByteMs: 5,
    totalMs: 12,
    ...over,
  }
}

/** The end of a request that the balance pays for, and a key's quota where one is given. */
export function aSettlement(
  accountId: string,
  cost: bigint,
  from: { leaseId?: string | null; quota?: Charge; record?: Partial<UsageRecord> } = {},
): Settlement {
  const balance = { budgetId: balanceBudget(accountId).id, leaseId: from.leaseId ?? null, cost: nanoUsd(cost) }
  return {
    record: aRecord(accountId, cost, from.record),
    charges: from.quota === undefined ? [balance] : [balance, from.quota],
  }
}

/** A subscription that runs at `NOON`, with a quota for each of these windows, and their budgets. */
export async function runningSubscription(
  store: Store,
  accountId: string,
  { limits = {}, id = newId('sub', NOON) }: { limits?: Partial<Record<QuotaWindow, bigint>>; id?: string },
) {
  const quotas = Object.entries(limits).map(([window, usd]) => ({ window: window as QuotaWindow, usd: nanoUsd(usd) }))
  const subscription: Subscription = {
    id,
    accountId,
    planId: 'pln_pro',
    planName: 'pro',
    groupIds: ['grp_default'],
    opensGroups: true,
    quotas,
    startsAt: NOON - 1_000,
    endsAt: NOON + 30 * 86_400_000,
    cancelledAt: null,
    createdAt: NOON,
  }
  if ((await store.subscriptions.open(subscription)) === null) throw new Error('there is no such account')
  return { subscription, windows: quotas.map(({ window, usd }) => subscriptionBudget(subscription.id, usd, window)) }
}
