import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import { type Subscription, subscriptionTo } from '../../access/subscription.ts'
import { DAY_MS } from '../../core/durations.ts'
import { Fault } from '../../core/faults.ts'
import { nanoUsd, ONE_PPM } from '../../core/money.ts'
import type { Model, Target } from '../../routing/catalog.ts'
import { chooseModel } from './choose-model.ts'
import { callableModels, usableGroups } from '../../entitlement/callable-models.ts'
import type { Snapshot } from '../snapshot.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

const GROUPS: Readonly<Record<string, Partial<Group>>> = {
  open: { models: ['small', 'unpriced'] },
  pools: { models: ['pooled', 'bare'] },
  large: { models: ['large'] },
  all: { models: ['*'] },
  off: { models: ['*'], isEnabled: false },
  closed: { models: ['large'], isOpen: false },
  'closed-too': { models: ['*'], isOpen: false },
  'off-and-closed': { models: ['*'], isEnabled: false, isOpen: false },
}

const snapshot: Snapshot = {
  groupsById: new Map(Object.entries(GROUPS).map(([name, over]) => [name, aGroup(name, over)])),
  modelsByName: new Map(
    [
      aModel('small'),
      aModel('large'),
      { ...aModel('unpriced'), prices: null },
      aModel('pooled', [aTarget('for-all', ['all']), aTarget('for-closed', ['closed-too'])]),
      aModel('bare', []),
    ].map((m) => [m.name, m]),
  ),
  upstreamsById: new Map([['ups_1', { upstream: { protocol: 'openai' }, client: null, secrets: [] } as never]]),
}

function aGroup(name: string, over: Partial<Group>): Group {
  return { id: name, name, multiplier: ONE_PPM, models: [], isEnabled: true, isOpen: true, isManaged: false, ...over }
}

function aTarget(model: string, groupIds?: readonly string[]): Target {
  return { upstreamId: 'ups_1', model, priority: 0, weight: 1, ...(groupIds === undefined ? {} : { groupIds }) }
}

function aModel(name: string, targets = [aTarget(name)]): Model {
  const price = nanoUsd(1n)
  return {
    id: name,
    name,
    prices: { input: price, output: price, cacheRead: null, cacheWrite: null, cacheWrite1h: null },
    contextTokens: null,
    maxOutputTokens: null,
    targets,
    createdAt: 0,
    isManaged: false,
  } as unknown as Model
}

function caller(groups: readonly string[], more: { subscriptions?: readonly Subscription[]; only?: string[] } = {}) {
  const [groupId = '', ...fallbackGroupIds] = groups
  const key = { groupId, fallbackGroupIds, allowedModels: more.only ?? [] }
  return { key, account: {}, subscriptions: more.subscriptions ?? [] } as unknown as KeyWithOwner
}

function planFor(...groupIds: string[]): Subscription {
  const plan = { id: 'pln_1', name: 'pro', groupIds, opensGroups: true, days: 1, quotas: [] }
  return subscriptionTo(plan, { id: 'sub_1', accountId: 'acc_1', nowMs: NOW })
}

function choose(who: KeyWithOwner, model: string, nowMs = NOW): string {
  try {
    return chooseModel(who, model, { catalogue: snapshot, wire: 'openai-chat', nowMs }).group.name
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.message}`
    throw error
  }
}

test.for([
  ['the group itself', ['open', 'all'], 'small', 'open'],
  ['the first fallback group that has the model', ['open', 'large', 'all'], 'large', 'large'],
  ['a fallback group where the first is disabled', ['off', 'all'], 'small', 'all'],
  ['a fallback group where the first is not open', ['closed-too', 'open', 'all'], 'large', 'all'],
  ['a fallback group where the first is no more', ['gone', 'large'], 'large', 'large'],
] as const)('$0 serves the model', ([, groups, model, expected]) => {
  expect(choose(caller(groups), model)).toBe(expected)
})

test('a group that is not open serves an account while its subscription runs, and not a moment longer', () => {
  const covered = caller(['closed'], { subscriptions: [planFor('closed')] })
  expect(choose(covered, 'large')).toBe('closed')
  expect(choose(covered, 'large', NOW + DAY_MS - 1)).toBe('closed')
  expect(choose(covered, 'large', NOW + DAY_MS)).toMatch(
    /^group_forbidden: The group "closed" .* plan "pro" runs from 2026-11-21T12:00:00Z until 2026-11-22T12:00:00Z. Renew it/,
  )
  expect(choose(covered, 'large', NOW - 1)).toMatch(/^group_forbidden: /)
  const elsewhere = caller(['closed'], { subscriptions: [planFor('open')] })
  expect(choose(elsewhere, 'large')).toMatch(/^group_forbidden: .*Get such a plan, or use a key of another group\.$/)
  const cancelled = caller(['closed'], { subscriptions: [{ ...planFor('closed'), cancelledAt: NOW }] })
  expect(choose(cancelled, 'large')).toMatch(/^group_forbidden: /)
})

test('a subscription that only pays in a closed group serves no key there: fallback groups are tried, and no plan is named', () => {
  const pays = { ...planFor('closed', 'closed-too', 'open', 'all'), opensGroups: false }
  expect(choose(caller(['closed', 'closed-too', 'all'], { subscriptions: [pays] }), 'large')).toBe('all')
  const only = caller(['closed'], { subscriptions: [pays] })
  expect(choose(only, 'large')).toMatch(/^group_forbidden: .*Get such a plan, or use a key of another group\.$/)
  expect(usableGroups(only, { catalogue: snapshot, nowMs: NOW })).toEqual([])
  const opened = caller(['closed'], { subscriptions: [pays, planFor('closed')] })
  expect(choose(opened, 'large')).toBe('closed')
})

test('a subscription opens no group that is disabled', () => {
  const covered = caller(['off-and-closed'], { subscriptions: [planFor('off-and-closed')] })
  expect(choose(covered, 'small')).toMatch(/^group_disabled: The group "off-and-closed"/)
})

test.for([
  ['every group is disabled', ['off', 'off-and-closed'], 'small', /^group_disabled: The group "off"/],
  ['there is no such group any more', ['gone'], 'small', /^group_disabled: The group "gone"/],
  ['the only enabled group is not open', ['off', 'closed'], 'large', /^group_forbidden: The group "closed"/],
  ['a plan would open one that has the model', ['open', 'closed'], 'large', /^group_forbidden: The group "closed"/],
  ['nothing at all can be used without a plan', ['closed'], 'small', /^group_forbidden: The group "closed"/],
  ['no plan would help', ['open', 'closed', 'off'], 'unpriced', /^model_unpriced/],
  ['no group has the model', ['large', 'closed'], 'small', /^model_not_in_group: .* group "large"\..* call "large"\./],
  ['there is no such model', ['closed-too'], 'smal', /^model_unknown: .* cannot call any model at present\./],
] as const)('the fault says what is in the way when $0', ([, groups, model, expected]) => {
  expect(choose(caller(groups), model)).toMatch(expected)
})

test('a target for certain groups is taken by their keys alone, and by others who fall back to one of them', () => {
  const targetsFor = (...groups: string[]) => {
    const chosen = chooseModel(caller(groups), 'pooled', { catalogue: snapshot, wire: 'openai-chat', nowMs: NOW })
    return [chosen.group.name, ...chosen.targets.map(({ model }) => model)]
  }
  expect(targetsFor('all')).toEqual(['all', 'for-all'])
  expect(targetsFor('pools', 'open', 'all')).toEqual(['all', 'for-all'])
  const covered = caller(['closed-too', 'all'], { subscriptions: [planFor('closed-too')] })
  const chosen = chooseModel(covered, 'pooled', { catalogue: snapshot, wire: 'openai-chat', nowMs: NOW })
  expect(chosen.targets.map(({ model }) => model)).toEqual(['for-closed'])
})

test.for(['pooled', 'bare'])(
  'a model that the group has, without a target for it, is not in the group: %s',
  (model) => {
    expect(choose(caller(['pools']), model)).toMatch(
      /^model_not_in_group: .* not served in this API key's group "pools": none of its targets is for it\. /,
    )
  },
)

test('what a key can call now is what is listed', () => {
  const names = (who: KeyWithOwner, nowMs = NOW) =>
    callableModels(who, { catalogue: snapshot, nowMs }).map(({ model, group }) => `${model.name} by ${group.name}`)
  const covered = caller(['closed-too', 'open'], { subscriptions: [planFor('closed-too')] })
  expect(names(covered)).toEqual(['small by closed-too', 'large by closed-too', 'pooled by closed-too'])
  expect(names(covered, NOW + DAY_MS)).toEqual(['small by open'])
  expect(names(caller(['closed', 'off']))).toEqual([])
  expect(names(caller(['all'], { only: ['large'] }))).toEqual(['large by all'])
  expect(usableGroups(covered, { catalogue: snapshot, nowMs: NOW }).map(({ name }) => name)).toEqual([
    'closed-too',
    'open',
  ])
  expect(usableGroups(covered, { catalogue: snapshot, nowMs: NOW + DAY_MS }).map(({ name }) => name)).toEqual(['open'])
})
