import { expect, test } from 'vitest'
import { formatUsd, ONE_PPM, parseMultiplier, parseUsd } from '../../core/money.ts'
import { priceOfMillion } from '../../core/prices.ts'
import { modelPricesOf } from '../../metering/prices/written-prices.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { costOfTokens } from './hold.ts'
import type { ChosenModel } from '../request/prepared.ts'

const PRICES = modelPricesOf({
  input: parseUsd('1'),
  output: parseUsd('10'),
  tiers: [{ above_input_tokens: 1_000, input: parseUsd('2'), output: parseUsd('15') }],
  service_tiers: {
    priority: { factor: parseMultiplier('2') },
    fast: { factor: parseMultiplier('6') },
    flex: { factor: parseMultiplier('0.5') },
  },
  inference_geo: { us: { factor: parseMultiplier('1.1') } },
  per_call: { web_search: priceOfMillion(parseUsd('0.01')), web_fetch: priceOfMillion(parseUsd('0.001')) },
})

/** What is held for a million tokens of input and a million of output, in USD. */
function heldFor(fields: object, tokens = { input: 0, output: 1_000_000 }): string {
  const wire = 'anthropic-messages'
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields }))
  const chosen = {
    model: { name: 'm', targets: [] },
    prices: PRICES,
    group: { multiplier: ONE_PPM },
  } as unknown as ChosenModel
  return formatUsd(costOfTokens({ body, head: protocolOf(wire).readRequest(body), chosen }, tokens))
}

test.for([
  ['says plainly that it wants the plain price', { service_tier: 'standard_only', inference_geo: 'global' }, '10'],
  ['wants to be cheaper, as it may not be', { service_tier: 'flex', inference_geo: 'global' }, '10'],
  ['wants priority', { service_tier: 'priority', inference_geo: 'global' }, '20'],
  ['leaves the class to the provider', { service_tier: 'auto', inference_geo: 'global' }, '20'],
  ['says nothing of classes and places', {}, '22'],
  ['wants to be fast, and in one place', { speed: 'fast', inference_geo: 'us' }, '66'],
] as const)('a request that %s is held for at the highest price that it may come to', ([, fields, usd]) => {
  expect(heldFor(fields)).toBe(usd)
})

test('a prompt that is estimated above a length is held for at its prices, output included', () => {
  const plain = { service_tier: 'standard_only', inference_geo: 'global' }
  expect(heldFor(plain, { input: 1_000, output: 1_000_000 })).toBe('10.001')
  expect(heldFor(plain, { input: 1_001, output: 1_000_000 })).toBe('15.002002')
  const long = { ...plain, messages: [{ role: 'user', content: 'word '.repeat(2_000) }] }
  expect(heldFor(long)).toBe('15')
})

/** One object for all requests, as a model has: what is held for one of them says nothing of the next. */
const WITH_AUDIO = {
  ...modelPricesOf({ input: parseUsd('1'), output: parseUsd('10') }),
  other: { audioInput: null, imageInput: null, audioOutput: parseUsd('40') },
}

test.for([
  ['is text alone', 'text', '10'],
  ['names audio', 'audio', '40'],
  ['names audio in capitals', 'AUDIO', '40'],
  ['names audio in escapes', String.raw`\u0061udio`, '40'],
  ['is text alone again', 'text', '10'],
] as const)('a request that %s is held for at the price that its output may have', ([, word, usd]) => {
  const body = Buffer.from(`{"model":"m","max_tokens":9,"messages":[],"modalities":["${word}"]}`)
  const group = { multiplier: ONE_PPM }
  const chosen = { model: { name: 'm', targets: [] }, prices: WITH_AUDIO, group } as unknown as ChosenModel
  const head = protocolOf('openai-chat').readRequest(body)
  expect(formatUsd(costOfTokens({ body, head, chosen }, { input: 0, output: 1_000_000 }))).toBe(usd)
})
