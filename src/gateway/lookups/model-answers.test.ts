import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import type { TokenPrices } from '../../core/prices.ts'
import { answerModels } from './model-answers.ts'
import type { Snapshot } from '../snapshot.ts'

const PRICES: TokenPrices = {
  input: parseUsd('2.5'),
  output: parseUsd('10'),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

function pricing(prices: TokenPrices): unknown {
  const group = {
    id: 'grp_1',
    name: 'g',
    multiplier: parseMultiplier('0.5'),
    models: ['*'],
    isEnabled: true,
    isOpen: true,
  }
  const model = { id: 'mdl_1', name: 'm', prices, createdAt: 0, targets: [{ upstreamId: 'ups_1' }] }
  const snapshot = {
    groupsById: new Map([['grp_1', group]]),
    modelsByName: new Map([['m', model]]),
    upstreamsById: new Map([['ups_1', { upstream: { protocol: 'openai' } }]]),
  } as unknown as Snapshot
  const key = { groupId: 'grp_1', fallbackGroupIds: [], allowedModels: [] }
  const caller = { key, account: {}, subscriptions: [] } as unknown as KeyWithOwner
  const context = { caller, snapshot, family: 'openai' as const, query: new URLSearchParams(), nowMs: 0 }
  const body = JSON.parse(answerModels({ kind: 'model', name: 'm' }, context).toString()) as { pricing: unknown }
  return body.pricing
}

test('a model shows the prices that are set, after the multiplier, and no others', () => {
  expect(pricing(PRICES)).toEqual({ input: '1.25', output: '5' })
  const other = { audioInput: parseUsd('40'), imageInput: parseUsd('0'), audioOutput: null }
  expect(pricing({ ...PRICES, cacheRead: parseUsd('0.25'), cacheWrite1h: parseUsd('5'), other })).toEqual({
    input: '1.25',
    output: '5',
    cache_read: '0.125',
    cache_write_1h: '2.5',
    audio_input: '20',
    image_input: '0',
  })
})
