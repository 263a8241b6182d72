import { describe, expect, test } from 'vitest'
import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import type { Subscription } from '../../access/subscription.ts'
import { UNSET } from '../../access/key-settings.ts'
import { HOUR_MS } from '../../core/durations.ts'
import { nanoUsd, parseMultiplier, parseUsd } from '../../core/money.ts'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import type { BudgetState } from '../../metering/budgets/budget.ts'
import { KeyLimits } from '../../metering/limits/key-limits.ts'
import type { UsageTotals } from '../../metering/usage/usage-store.ts'
import type { Model } from '../../routing/catalog.ts'
import type { SummaryParts } from './key-usage-summary.ts'
import { answerUsage } from './usage-answer.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const MIDNIGHT = Date.UTC(2026, 10, 21)

const KEY: ApiKey = {
  id: 'key_1',
  accountId: 'acc_1',
  name: 'laptop',
  groupId: 'grp_1',
  fallbackGroupIds: ['grp_2'],
  status: 'active',
  statusChangedAt: 0,
  ...UNSET,
  secretStart: 'sk-tg-abcd',
  secretEnd: 'wxyz',
  overlap: null,
  createdAt: 0,
  isManaged: false,
}

const GROUP: Group = {
  id: 'grp_1',
  name: 'default',
  multiplier: parseMultiplier('1'),
  models: ['*'],
  isEnabled: true,
  isOpen: true,
  isManaged: false,
}

const MODEL = {
  name: 'small',
  prices: {},
  targets: [{ upstreamId: 'ups_1', model: 'small', priority: 0, weight: 1 }],
} as unknown as Model

const PRO: Subscription = {
  id: 'sub_1',
  accountId: 'acc_1',
  planId: 'pln_1',
  planName: 'pro',
  groupIds: ['grp_2'],
  opensGroups: true,
  quotas: [
    { window: '5h', usd: parseUsd('5') },
    { window: '7d', usd: parseUsd('40') },
  ],
  startsAt: NOON - HOUR_MS,
  endsAt: NOON + HOUR_MS,
  cancelledAt: null,
  createdAt: NOON,
}

const LITE: Subscription = { ...PRO, id: 'sub_2', planName: 'lite', quotas: [{ window: '1d', usd: parseUsd('1') }] }

const TODAY: UsageTotals = {
  requests: 4,
  failed: 1,
  inputTokens: 500,
  cacheReadTokens: 20,
  outputTokens: 70,
  cost: parseUsd('0.3'),
  balancePaid: parseUsd('0.2'),
}
const EVER: UsageTotals = { ...TODAY, requests: 9, cost: parseUsd('1.2') }

interface Situation {
  readonly key?: Partial<ApiKey>
  readonly groups?: readonly Group[]
  readonly models?: readonly Model[]
  readonly subscriptions?: readonly Subscription[]
  /** Budget states by id; all other budgets are unused. */
  readonly states?: Readonly<Record<string, Partial<BudgetState>>>
  readonly before?: (limits: KeyLimits, key: ApiKey) => void
}

const FUNDED = { 'balance:acc_1': { limit: parseUsd('10'), used: parseUsd('1.5') } }

async function usageOf(situation: Situation): Promise<Record<string, unknown>> {
  const key = { ...KEY, ...situation.key }
  const caller: KeyWithOwner = {
    key,
    account: { id: 'acc_1', email: 'a@example.test', role: 'user', status: 'active', createdAt: 0, isManaged: false },
    subscriptions: situation.subscriptions ?? [],
  }
  const groups = situation.groups ?? [GROUP, { ...GROUP, id: 'grp_2', name: 'spare' }]
  const keyLimits = new KeyLimits({
    clock: { now: () => NOON, elapsed: () => 100_000 },
    share: () => ({ index: 0, count: 1 }),
  })
  situation.before?.(keyLimits, key)
  const states: NonNullable<Situation['states']> = situation.states ?? FUNDED
  const parts: SummaryParts = {
    keyLimits,
    snapshot: () => ({
      groupsById: new Map(groups.map((group) => [group.id, group])),
      modelsByName: new Map((situation.models ?? [MODEL]).map((model) => [model.name, model])),
      upstreamsById: new Map([['ups_1', { upstream: {}, client: null, secrets: [] } as never]]),
    }),
    budgets: {
      states: async (budgets) =>
        budgets.map((budget) => ({
          limit: budget.openingLimit ?? nanoUsd(0n),
          used: nanoUsd(0n),
          held: nanoUsd(0n),
          endsAt: budget.endsAt,
          ...states[budget.id],
        })),
    },
    usage: {
      record: () => Promise.reject(new Error('not expected to be asked for')),
      totalsOfKey: async (keyId, sinceMs) => {
        expect([keyId, sinceMs]).toEqual(['key_1', MIDNIGHT])
        return { since: TODAY, ever: EVER }
      },
    },
  }
  return (await answerUsage(caller, parts, NOON)) as Record<string, unknown>
}

test('a key that nothing limits spends the balance', async () => {
  const today = {
    requests: 4,
    failed: 1,
    tokens: 570,
    input_tokens: 500,
    cache_read_tokens: 20,
    output_tokens: 70,
    cost: '0.3',
  }
  expect(await usageOf({})).toMatchObject({
    is_valid: true,
    reason: null,
    invalid_message: null,
    status: 'active',
    name: 'laptop',
    remaining: '8.5',
    unit: 'USD',
    plan_name: null,
    balance: '8.5',
    quota: { limit: null, used: '1.2', remaining: null, reset: 'never', reset_at: null, unit: 'USD' },
    rate_limits: [],
    subscription: null,
    subscriptions: [],
    expires_at: null,
    usage: { today, total: { ...today, requests: 9, cost: '1.2' } },
  })
})

test('every name stands there in camelCase as well, at every depth', async () => {
  const usage = await usageOf({ subscriptions: [PRO], key: { rateLimit: { ...NO_RATES, requestsPerMinute: 3 } } })
  expect(usage).toMatchObject({
    isValid: true,
    planName: 'pro',
    invalidMessage: null,
    rateLimits: [{ type: 'requests_per_minute', resetAt: null }],
    expiresAt: null,
    subscription: { planName: 'pro', endsAt: '2026-11-21T13:00:00.000Z', windows: [{ resetAt: null }, {}] },
    usage: { today: { inputTokens: 500 } },
  })
  const untwinned = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([name, inner]) => [
          ...(name.includes('_') && !Object.hasOwn(value, camelCase(name)) ? [name] : []),
          ...untwinned(inner),
        ])
  expect(untwinned(usage)).toEqual([])
})

/** What several gateways give out to be pasted into CC Switch; it wants a boolean, a number or null, and a string. */
test('a reader made for other gateways finds what it looks for', async () => {
  const response = await usageOf({ key: { quotaLimit: parseUsd('2') } })
  const { remaining, quota, balance } = response as { remaining: string; quota: { remaining: string }; balance: string }
  expect(response['is_active'] ?? response['isValid']).toBe(true)
  expect([remaining, quota.remaining, balance]).toEqual(['2', '2', '8.5'])
  expect(response['unit']).toBe('USD')
})

const NO_RATES = { ...NO_COUNTS, spend: [] }
const MONTH_QUOTA = 'key:key_1:monthly:' + String(Date.UTC(2026, 10, 1))

describe('what remains is the least of what limits the key', () => {
  test.for<[string, Situation, string | null]>([
    ['its quota', { key: { quotaLimit: parseUsd('2') } }, '2'],
    [
      'its spend window',
      {
        key: { quotaLimit: parseUsd('2'), rateLimit: { ...NO_RATES, spend: [{ window: '5h', usd: parseUsd('1') }] } },
        states: { ...FUNDED, 'spend:key_1:5h': { used: parseUsd('0.75') } },
      },
      '0.25',
    ],
    ['subscription and balance together', { subscriptions: [LITE] }, '9.5'],
    [
      'the tightest window of a subscription',
      { subscriptions: [PRO], states: { 'sub:sub_1:7d': { used: parseUsd('39') } } },
      '1',
    ],
    ['several subscriptions together', { subscriptions: [PRO, LITE], states: {} }, '6'],
    ['nothing, with a subscription without quotas', { subscriptions: [{ ...PRO, quotas: [] }] }, null],
    [
      'the quota, with a subscription without quotas',
      { subscriptions: [{ ...PRO, quotas: [] }], key: { quotaLimit: parseUsd('2') } },
      '2',
    ],
    ['the balance alone, when the subscription is over', { subscriptions: [{ ...PRO, endsAt: NOON }] }, '8.5'],
    ['the balance alone, when it was cancelled', { subscriptions: [{ ...PRO, cancelledAt: NOON - 1 }] }, '8.5'],
    ['the balance alone, when it is for other groups', { subscriptions: [{ ...PRO, groupIds: ['grp_3'] }] }, '8.5'],
    [
      'never less than nothing',
      { states: { 'balance:acc_1': { limit: parseUsd('1'), used: parseUsd('1.000001') } } },
      '0',
    ],
  ])('%s', async ([, situation, remaining]) => {
    expect((await usageOf(situation))['remaining']).toBe(remaining)
  })
})

test('what is held by running requests is not spent', async () => {
  const usage = await usageOf({ states: { 'balance:acc_1': { limit: parseUsd('10'), held: parseUsd('10') } } })
  expect(usage).toMatchObject({ remaining: '10', balance: '10', is_valid: true })
})

test('a negative balance is reported as it is', async () => {
  const usage = await usageOf({ states: { 'balance:acc_1': { limit: parseUsd('1'), used: parseUsd('1.5') } } })
  expect(usage).toMatchObject({ balance: '-0.5', remaining: '0' })
})

describe('each limit is reported', () => {
  test('a quota with the period it runs in', async () => {
    const usage = await usageOf({
      key: { quotaLimit: parseUsd('20'), quotaReset: 'monthly' },
      states: { ...FUNDED, [MONTH_QUOTA]: { used: parseUsd('20.000000001') } },
    })
    expect(usage['quota']).toMatchObject({
      limit: '20',
      used: '20.000000001',
      remaining: '0',
      reset: 'monthly',
      reset_at: '2026-12-01T00:00:00.000Z',
    })
  })

  test('rates, concurrency and spend windows', async () => {
    const usage = await usageOf({
      key: {
        rateLimit: {
          concurrency: 2,
          requestsPerMinute: 10,
          tokensPerMinute: 1_000,
          spend: [
            { window: '5h', usd: parseUsd('1') },
            { window: '7d', usd: parseUsd('3') },
          ],
        },
      },
      states: { ...FUNDED, 'spend:key_1:7d': { used: parseUsd('2'), endsAt: NOON + 90_000 } },
      before: (limits, key) => limits.begin(key, { input: 300, output: 0 }),
    })
    const inAMinute = expect.stringMatching(/^2026-11-21T12:0[01]:/)
    const five = { type: 'spend', window: '5h', limit: '1', used: '0', remaining: '1', reset_at: null, unit: 'USD' }
    expect(usage['rate_limits']).toMatchObject([
      { type: 'requests_per_minute', window: '60s', limit: 10, used: 1, remaining: 9, reset_at: inAMinute },
      { type: 'tokens_per_minute', window: '60s', limit: 1_000, used: 300, remaining: 700, reset_at: inAMinute },
      { type: 'concurrency', window: null, limit: 2, used: 1, remaining: 1, reset_at: null },
      five,
      { ...five, window: '7d', limit: '3', used: '2', reset_at: '2026-11-21T12:01:30.000Z' },
    ])
  })

  test('the subscription that pays next, and those behind it', async () => {
    const usage = await usageOf({
      subscriptions: [PRO, LITE],
      states: { 'sub:sub_1:5h': { used: parseUsd('5'), endsAt: NOON + 60_000 } },
    })
    expect(usage['plan_name']).toBe('lite')
    expect(usage['subscription']).toMatchObject({ id: 'sub_2', remaining: '1' })
    expect(usage['subscriptions']).toMatchObject([
      {
        id: 'sub_1',
        plan_name: 'pro',
        starts_at: '2026-11-21T11:00:00.000Z',
        ends_at: '2026-11-21T13:00:00.000Z',
        remaining: '0',
        windows: [
          { window: '5h', limit: '5', used: '5', remaining: '0', reset_at: '2026-11-21T12:01:00.000Z' },
          { window: '7d', limit: '40', used: '0', remaining: '40', reset_at: null },
        ],
      },
      { id: 'sub_2' },
    ])
  })
})

describe('a key that every request would be refused for is not valid, and says why', () => {
  const broke = { 'balance:acc_1': { limit: parseUsd('1'), used: parseUsd('1') } }
  test.for<[string, string, Situation]>([
    ['key_expired', 'expired', { key: { expiresAt: NOON } }],
    ['key_quota_exhausted', 'quota_exhausted', { key: { quotaLimit: nanoUsd(0n) } }],
    ['balance_exhausted', 'active', { states: broke }],
    [
      'subscription_quota_exhausted',
      'active',
      { subscriptions: [LITE], states: { ...broke, 'sub:sub_2:1d': { used: parseUsd('1'), endsAt: NOON + 1 } } },
    ],
    ['group_disabled', 'active', { groups: [{ ...GROUP, isEnabled: false }] }],
    ['group_forbidden', 'active', { groups: [{ ...GROUP, isOpen: false }] }],
    ['model_not_in_group', 'active', { groups: [{ ...GROUP, models: ['large'] }] }],
    ['model_not_in_group', 'active', { key: { allowedModels: ['large'] } }],
    ['model_not_in_group', 'active', { models: [] }],
    [
      'rate_limited',
      'active',
      {
        key: { rateLimit: { ...NO_RATES, spend: [{ window: '5h', usd: parseUsd('1') }] } },
        states: { ...FUNDED, 'spend:key_1:5h': { used: parseUsd('1'), endsAt: NOON + 1 } },
      },
    ],
  ])('%s', async ([reason, status, situation]) => {
    const message = expect.stringMatching(/\.$/)
    expect(await usageOf(situation)).toMatchObject({ is_valid: false, reason, status, invalid_message: message })
  })

  test.for<[string, Situation]>([
    [
      'a fallback group serves it',
      {
        groups: [
          { ...GROUP, isEnabled: false },
          { ...GROUP, id: 'grp_2' },
        ],
      },
    ],
    ['a subscription opens its group', { groups: [{ ...GROUP, id: 'grp_2', isOpen: false }], subscriptions: [PRO] }],
    ['a subscription pays and the balance is empty', { subscriptions: [PRO], states: broke }],
    ['its group is free', { groups: [{ ...GROUP, multiplier: parseMultiplier('0') }], states: broke }],
    ['it expires in a moment', { key: { expiresAt: NOON + 1 } }],
  ])('but not while %s', async ([, situation]) => {
    expect(await usageOf(situation)).toMatchObject({ is_valid: true, reason: null, status: 'active' })
  })
})

test('books that cannot be read are a fault of the store', async () => {
  const failing: SummaryParts = {
    keyLimits: new KeyLimits({ clock: { now: () => NOON, elapsed: () => 0 }, share: () => ({ index: 0, count: 1 }) }),
    snapshot: () => ({ groupsById: new Map(), modelsByName: new Map(), upstreamsById: new Map() }),
    budgets: { states: () => Promise.reject(new Error('disk')) },
    usage: {
      record: () => Promise.resolve(null),
      totalsOfKey: () => Promise.resolve({ since: TODAY, ever: EVER }),
    },
  }
  const account = {
    id: 'acc_1',
    email: 'a@example.test',
    role: 'user',
    status: 'active',
    createdAt: 0,
    isManaged: false,
  } as const
  const answer = answerUsage({ key: KEY, account, subscriptions: [] }, failing, NOON)
  await expect(answer).rejects.toMatchObject({ code: 'store_unavailable' })
})

function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
