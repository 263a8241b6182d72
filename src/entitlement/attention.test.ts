import { expect, test } from 'vitest'
import type { Group } from '../access/group.ts'
import { nanoUsd, ONE_PPM, partsPerMillion } from '../core/money.ts'
import type { Model, Target, Upstream } from '../routing/catalog.ts'
import { unlimitedCredential } from '../routing/credential-settings.ts'
import { attentionItems, type CredentialsStanding } from './attention.ts'

const price = nanoUsd(1_000n)
const prices = {
  input: price,
  output: price,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}
const group = { id: 'g1', name: 'default', models: ['m'], multiplier: ONE_PPM, isEnabled: true } as unknown as Group
const other = { ...group, id: 'g2', name: 'other', models: ['x'] } as Group

function upstream(id: string, over: Partial<Upstream> = {}): Upstream {
  return { id, name: id, protocol: 'openai', credentials: [], ...over } as unknown as Upstream
}

function itemsOf(
  targets: readonly Partial<Target>[],
  upstreams = [upstream('a'), upstream('b')],
  standing?: CredentialsStanding,
) {
  const placed = targets.map((target) => ({ upstreamId: 'a', model: 'm', priority: 0, weight: 1, ...target }))
  const model = { id: 'm1', name: 'm', prices, targets: placed } as unknown as Model
  return attentionItems({ groups: [group, other], models: [model], upstreams }, standing)
}

test('targets of one priority, of others behind them, and of another model at the same upstream are all reached', () => {
  expect(itemsOf([{}, {}, { upstreamId: 'b', priority: 1 }, { model: 'n', priority: 2 }])).toEqual([])
})

test('a target that stands there with a lower priority number is never used again, since it rests with that', () => {
  const [item, ...others] = itemsOf([{}, { upstreamId: 'b', priority: 1 }, { priority: 2 }])
  expect(others).toEqual([])
  expect(item).toMatchObject({ kind: 'unreached', model: 'm', group: 'default', upstream: 'a' })
  expect(item?.detail).toContain('lower priority number')
})

test('targets behind the demo upstream are reached, since it answers 404 for a model that it does not have', () => {
  const upstreams = [upstream('demo', { protocol: 'demo' }), upstream('b')]
  expect(itemsOf([{ upstreamId: 'demo' }, { upstreamId: 'b', priority: 1 }], upstreams)).toEqual([])
})

test('a target is not reached where no credential of its upstream may be sent for the model', () => {
  const credentials = ['k', 'l'].map((name) => ({ ...unlimitedCredential('sealed', name), models: ['else'] }))
  expect(itemsOf([{}], [upstream('a', { credentials })])).toMatchObject([{ kind: 'unreached', upstream: 'a' }])
  const [first, second] = credentials
  const one = [first, { ...second, models: null }] as Upstream['credentials']
  expect(itemsOf([{}], [upstream('a', { credentials: one })])).toEqual([])
})

test('behind a target with a cap on its spending the same one is used again', () => {
  expect(itemsOf([{ spendPerDay: price }, { priority: 1 }])).toEqual([])
  const inShadow = { spendPerDay: price, shadow: ['spend_per_day'] } as const
  expect(itemsOf([inShadow, { priority: 1 }])).toMatchObject([{ kind: 'unreached', upstream: 'a' }])
})

test('a margin in shadow takes no target from a group', () => {
  const dear = {
    cost: { kind: 'factor', factor: partsPerMillion(900_000n) },
    minMargin: partsPerMillion(500_000n),
  } as const
  expect(itemsOf([dear])).toMatchObject([{ kind: 'no_margin' }])
  expect(itemsOf([{ ...dear, shadow: ['min_margin'] }])).toEqual([])
})

test('a group whose targets of a model all leave too little, and one that has none, are named apart, without any request', () => {
  const dear = {
    cost: { kind: 'factor', factor: partsPerMillion(900_000n) },
    minMargin: partsPerMillion(500_000n),
  } as const
  const ofOthers = { upstreamId: 'b', groupIds: ['g2'] }
  const named = (targets: readonly Partial<Target>[]) =>
    itemsOf(targets).filter(({ kind, group: of }) => kind.startsWith('no_') && of === 'default')
  const [item, ...others] = named([dear, { ...dear, upstreamId: 'b' }])
  expect(others).toEqual([])
  expect(item).toMatchObject({ kind: 'no_margin', model: 'm', group: 'default', upstream: null })
  expect(item?.detail).toContain('lower min_margin')
  expect(named([dear, ofOthers])).toMatchObject([{ kind: 'no_margin' }])
  expect(named([ofOthers])).toMatchObject([{ kind: 'no_target' }])
  expect(named([])).toMatchObject([{ kind: 'no_target' }])
  expect(named([dear, { upstreamId: 'b' }])).toEqual([])
})

test('what was stored before it was refused is named: no weight, and a protocol that carries no endpoint', () => {
  expect(itemsOf([{ weight: 0 }, { upstreamId: 'b', priority: 1 }])).toMatchObject([
    { kind: 'no_weight', group: null, upstream: 'a' },
  ])
  expect(itemsOf([{}, { upstreamId: 'b', priority: 1, weight: 0 }])).toEqual([])
})

test('a target for a group that does not have the model is named with that group', () => {
  const items = itemsOf([{}, { upstreamId: 'b', groupIds: ['g2'] }])
  expect(items).toMatchObject([{ kind: 'unreached', group: 'other', upstream: 'b' }])
})

test('a model of whose targets every credential is disabled or has expired is named in each group that has it, until one is not', () => {
  const [k, l] = [
    { ...unlimitedCredential('sealed', 'k'), expiresAt: 10 },
    { ...unlimitedCredential('sealed', 'l'), models: ['else', 'm'] },
  ]
  const pools = [upstream('a', { credentials: [k, l] }), upstream('b', { credentials: [k] })]
  const off = { upstreamId: 'a', name: 'l', isDisabled: true }
  const both = [{}, { upstreamId: 'b', priority: 1 }]
  const lack = itemsOf(both, pools, { states: [off], nowMs: 10 })
  expect(lack).toMatchObject([{ kind: 'no_credential', model: 'm', group: 'default', upstream: 'a' }])
  expect(itemsOf(both, pools, { states: [off], nowMs: 9 })).toEqual([])
  expect(itemsOf(both, pools, { states: [{ ...off, isDisabled: false }], nowMs: 10 })).toEqual([])
  expect(itemsOf(both, pools, { states: [{ ...off, upstreamId: 'b' }], nowMs: 10 })).toEqual([])
  expect(itemsOf(both, [...pools.slice(0, 1), upstream('b')], { states: [off], nowMs: 10 })).toEqual([])
  expect(itemsOf(both, pools)).toEqual([])
})
