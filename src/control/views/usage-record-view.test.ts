import { expect, test } from 'vitest'
import { FAULTS, type FaultCode } from '../../core/faults.ts'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { costOf } from '../../metering/prices/cost.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { usageRecordView } from './usage-record-view.ts'

const prices = {
  input: parseUsd('2.5'),
  output: parseUsd('10'),
  cacheRead: parseUsd('0.25'),
  cacheWrite: null,
  cacheWrite1h: null,
  other: { audioInput: parseUsd('40'), imageInput: null, audioOutput: null },
  units: null,
}
const tokens = {
  ...NO_TOKENS,
  input: 1_001,
  cacheRead: 333,
  output: 77,
  reasoning: 12,
  other: { audioInput: 3, imageInput: 5, audioOutput: 0 },
  units: null,
}
const multiplier = parseMultiplier('0.85')
const attempt = { model: 'gpt-5.5-2026', status: 200, totalMs: 7 }

const RECORD: UsageRecord = {
  id: 'req_1',
  createdAt: Date.UTC(2026, 10, 21, 12),
  accountId: 'acc_1',
  keyId: 'key_1',
  keyName: 'laptop',
  groupId: 'grp_1',
  groupName: 'default',
  model: 'gpt-5.5',
  upstreamName: 'openai-main',
  upstreamModel: 'gpt-5.5-2026',
  credentialName: 'secret-credential',
  wire: 'openai-chat',
  isStream: true,
  outcome: 'completed',
  fault: null,
  httpStatus: 200,
  tokens,
  usageSource: 'reported',
  isCapped: false,
  usageNotes: [],
  terms: null,
  prices,
  multiplier,
  cost: costOf(tokens, prices, multiplier),
  balancePaid: costOf(tokens, prices, multiplier),
  providerCost: null,
  subscriptionsPaid: [{ subscriptionId: 'sub_1', paid: parseUsd('0.5') }],
  routeTrace: null,
  faultFacts: null,
  limitsLeft: null,
  deviceSecret: null,
  attempts: [
    { ...attempt, upstreamName: 'secret-main', fault: 'upstream_overloaded', status: 503 },
    { ...attempt, upstreamName: 'secret-other', fault: null },
    { ...attempt, upstreamName: 'secret-main', fault: null },
  ],
  client: 'OpenAI/JS 7.55.0',
  firstByteMs: 5,
  totalMs: 12,
}

test('the lines show each kind at the price it was charged at, and add up to the cost', () => {
  const view = usageRecordView(RECORD, { isStaff: false })
  expect(view.price_lines).toEqual([
    { kind: 'input', tokens: 1001, count: 1001, per: 1_000_000, price: '2.5', multiplier: '0.85', cost: '0.002127125' },
    {
      kind: 'cache_read',
      tokens: 333,
      count: 333,
      per: 1_000_000,
      price: '0.25',
      multiplier: '0.85',
      cost: '0.0000707625',
    },
    { kind: 'audio_input', tokens: 3, count: 3, per: 1_000_000, price: '40', multiplier: '0.85', cost: '0.000102' },
    { kind: 'image_input', tokens: 5, count: 5, per: 1_000_000, price: '2.5', multiplier: '0.85', cost: '0.000010625' },
    { kind: 'output', tokens: 77, count: 77, per: 1_000_000, price: '10', multiplier: '0.85', cost: '0.0006545' },
  ])
  // 0.002127125 + 0.0000707625 + 0.000102 + 0.000010625 + 0.0006545 = 0.0029650125
  expect(view.cost).toBe('0.002965013')
  expect(view.tokens).toMatchObject({ reasoning: 12, cache_write: null, audio_output: 0 })
})

test('owners learn which attempts went to the same upstream, and nothing else of it', () => {
  const view = usageRecordView(RECORD, { isStaff: false })
  expect(view.attempts.map(({ upstream, model }) => [upstream, model])).toEqual([
    ['upstream-1', null],
    ['upstream-2', null],
    ['upstream-1', null],
  ])
  const text = JSON.stringify(view)
  for (const secret of ['secret-main', 'secret-other', 'openai-main', 'gpt-5.5-2026', 'secret-credential'])
    expect(text).not.toContain(secret)
  expect(usageRecordView(RECORD, { isStaff: true }).attempts[0]).toMatchObject({
    upstream: 'secret-main',
    model: 'gpt-5.5-2026',
  })
  expect(usageRecordView(RECORD, { isStaff: true }).credential).toBe('secret-credential')
})

test('a request that was never priced has no lines', () => {
  const view = usageRecordView({ ...RECORD, prices: null, multiplier: null }, { isStaff: false })
  expect(view).toMatchObject({ price_lines: [], multiplier: null })
})

test.for(Object.keys(FAULTS) as FaultCode[])('%s is explained in a sentence, and none without it', (fault) => {
  expect(usageRecordView({ ...RECORD, fault }, { isStaff: false }).detail).toMatch(/^[A-Z].+\.$/)
  expect(usageRecordView(RECORD, { isStaff: false }).detail).toBeNull()
})

test('units are separate from tokens, at the price of one', () => {
  const units = { requests: 1, images: 3, seconds: null, characters: 1_000 }
  const unitPrices = { request: null, image: parseUsd('40000'), second: parseUsd('100'), character: parseUsd('15') }
  const view = usageRecordView(
    { ...RECORD, tokens: { ...NO_TOKENS, units }, prices: { ...prices, input: null, output: null, units: unitPrices } },
    { isStaff: false },
  )
  expect(view.units).toEqual(units)
  expect(view.price_lines).toEqual([
    { kind: 'images', tokens: null, count: 3, per: 1, price: '0.04', multiplier: '0.85', cost: '0.102' },
    {
      kind: 'characters',
      tokens: null,
      count: 1_000,
      per: 1_000_000,
      price: '15',
      multiplier: '0.85',
      cost: '0.01275',
    },
  ])
})
