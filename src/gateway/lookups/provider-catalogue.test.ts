import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import { nanoUsd, parseMultiplier } from '../../core/money.ts'
import type { Model } from '../../routing/catalog.ts'
import { providerCatalogue } from './provider-catalogue.ts'
import type { Snapshot } from '../snapshot.ts'

const PRICES = {
  input: nanoUsd(2_500_000_000n),
  output: nanoUsd(10_000_000_000n),
  cacheRead: nanoUsd(250_000_000n),
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

function model(name: string, change: Partial<Model> = {}): Model {
  const target = { upstreamId: 'ups_1', model: name, priority: 0, weight: 1 }
  const limits = { contextTokens: 400_000, maxOutputTokens: 128_000 }
  const about = { id: `mdl_${name}`, createdAt: Date.UTC(2026, 3, 5), isManaged: false }
  return { ...about, ...limits, name, prices: PRICES, targets: [target], ...change }
}

function group(id: string, models: readonly string[], change: Partial<Group> = {}): Group {
  const multiplier = parseMultiplier('1.2')
  return { id, name: id, multiplier, models, isEnabled: true, isOpen: true, isManaged: false, ...change }
}

function snapshotOf(models: readonly Model[], groups: readonly Group[]): Snapshot {
  return {
    modelsByName: new Map(models.map((each) => [each.name, each])),
    groupsById: new Map(groups.map((each) => [each.id, each])),
    upstreamsById: new Map([['ups_1', {}]]),
  } as unknown as Snapshot
}

function names(caller: KeyWithOwner | null, snapshot: Snapshot): string[] {
  const listed = providerCatalogue({ caller, snapshot, origin: 'http://gate.test', nowMs: 0 })
  return Object.keys((listed as { tollgate: { models: object } }).tollgate.models)
}

const GROUPS = [
  group('open', ['a']),
  group('closed', ['b'], { isOpen: false }),
  group('off', ['c'], { isEnabled: false }),
]
const SNAPSHOT = snapshotOf([model('a'), model('b'), model('c'), model('d')], GROUPS)

test('without a key, what is open to all accounts is listed', () => {
  expect(names(null, SNAPSHOT)).toEqual(['a'])
})

test('who imports it is offered no model that answers no conversation', () => {
  const all = [model('bge-m3'), model('tone', { kind: 'audio' }), model('a'), model('flux', { kind: 'chat' })]
  expect(names(null, snapshotOf(all, [group('open', ['*'])]))).toEqual(['a', 'flux'])
})

test('a key gets what it can call', () => {
  const key = { groupId: 'closed', fallbackGroupIds: [], allowedModels: [] }
  const subscriptions = [{ groupIds: ['closed'], opensGroups: true, startsAt: -1, endsAt: 10, cancelledAt: null }]
  expect(names({ key, account: {}, subscriptions } as unknown as KeyWithOwner, SNAPSHOT)).toEqual(['b'])
})

test('a model is listed with its prices after the multiplier, and its limits', () => {
  const listed = providerCatalogue({ caller: null, snapshot: SNAPSHOT, origin: 'http://gate.test', nowMs: 0 })
  expect(JSON.parse(JSON.stringify(listed))).toMatchObject({
    tollgate: {
      api: 'http://gate.test/v1',
      env: ['TOLLGATE_API_KEY'],
      models: {
        a: {
          id: 'a',
          tool_call: true,
          release_date: '2026-04-05',
          cost: { input: 3, output: 12, cache_read: 0.3 },
          limit: { context: 400_000, output: 128_000 },
        },
      },
    },
  })
})

test('what the catalogue has no place for stands under a name of ours', () => {
  const rules = {
    lengthTiers: [],
    serviceTiers: new Map([['flex', { kind: 'factor', factor: parseMultiplier('0.5') } as const]]),
    geoFactors: new Map([['us', parseMultiplier('1.1')]]),
  }
  const priced = model('a', { prices: { ...PRICES, rules, calls: { web_search: nanoUsd(10_000_000_000_000n) } } })
  const ofModel = (one: Model) => {
    const snapshot = snapshotOf([one], GROUPS)
    const listed = providerCatalogue({ caller: null, snapshot, origin: 'http://gate.test', nowMs: 0 })
    return (JSON.parse(JSON.stringify(listed)) as { tollgate: { models: { a: object } } }).tollgate.models.a
  }
  expect(ofModel(priced)).toMatchObject({
    tollgate: {
      service_tiers: { flex: { factor: '0.5' } },
      inference_geo: { us: { factor: '1.1' } },
      per_call: { web_search: '0.012' },
    },
  })
  expect(ofModel(model('a'))).not.toHaveProperty('tollgate')
})

test('a model that is only paid by the picture answers no conversation', () => {
  const picture = model('a', { prices: { ...PRICES, input: null, output: null } })
  expect(names(null, snapshotOf([picture], GROUPS))).toEqual([])
})
