import { mustBe } from '../../core/must-be.ts'
import { expect, test } from 'vitest'
import { parseMultiplier, parseUsd } from '../../core/money.ts'
import { modelPricesOf, objectionToWritten, type WrittenPrices } from './written-prices.ts'

const usd = parseUsd
const PLAIN = { input: usd('2.5'), output: usd('10'), cache_read: usd('0.25') }

function tier(above: number, prices: Partial<Record<keyof typeof PLAIN, bigint>> = {}) {
  return { above_input_tokens: above, ...PLAIN, ...prices } as NonNullable<WrittenPrices['tiers']>[number]
}

function objectionTo(more: object): string | null {
  const objection = objectionToWritten({ ...PLAIN, ...more })
  return objection === null ? null : `${objection.path.join('.')} ${mustBe(objection.takes)}`
}

test.for([
  [{ tiers: [tier(100), tier(200)] }],
  [{ service_tiers: { priority: { factor: parseMultiplier('2') }, flex: { factor: parseMultiplier('0.5') } } }],
  [{ service_tiers: { priority: { ...PLAIN, tiers: [tier(100)] } } }],
  [{ inference_geo: { us: { factor: parseMultiplier('1.1') } }, per_call: { web_search: usd('10') } }],
  [{ tiers: [], service_tiers: {}, inference_geo: {}, per_call: {} }],
] as const)('the prices of case %# can be charged', ([more]) => {
  expect(objectionTo(more)).toBeNull()
})

test.for([
  [{ tiers: [tier(200), tier(100)] }, 'tiers.1.above_input_tokens must be a number above 200'],
  [{ tiers: [tier(200), tier(200)] }, 'tiers.1.above_input_tokens must be a number above 200'],
  [
    { tiers: [tier(1, { input: usd('2.49') })] },
    'tiers.0.input must be a price of at least 2.5, which shorter prompts cost',
  ],
  [{ tiers: [tier(1), tier(2, { output: usd('9') })] }, 'tiers.1.output must be a price of at least 10'],
  [
    { cache_write: usd('9'), tiers: [tier(1)] },
    'tiers.0.cache_write must be a price of at least 9, which shorter prompts cost',
  ],
  [{ tiers: [{ above_input_tokens: 1, input: usd('5') }] }, 'tiers.0.output must be a price, as each tier has its own'],
  [{ tiers: Array.from({ length: 9 }, (_, i) => tier(i + 1)) }, 'tiers must have at most 8 tiers'],
  [
    { service_tiers: { default: { factor: parseMultiplier('2') } } },
    'service_tiers.default must be left out: this one',
  ],
  [{ service_tiers: { auto: { factor: parseMultiplier('2') } } }, 'service_tiers.auto must be left out: this one'],
  [{ service_tiers: { standard: { factor: parseMultiplier('2') } } }, 'service_tiers.standard must be left out'],
  [
    { service_tiers: { Priority: { factor: parseMultiplier('2') } } },
    'service_tiers.Priority must have a name of 1 to 32 small',
  ],
  [{ service_tiers: { priority: {} } }, 'service_tiers.priority must be a factor, or own prices with input and output'],
  [{ service_tiers: { priority: { input: usd('5') } } }, 'service_tiers.priority.output must be a price'],
  [
    { service_tiers: { priority: { factor: parseMultiplier('2'), input: usd('5') } } },
    'service_tiers.priority.factor must stand without other prices',
  ],
  [
    { service_tiers: { priority: { factor: parseMultiplier('0') } } },
    'service_tiers.priority.factor must be a factor above 0',
  ],
  [
    { service_tiers: { priority: { factor: parseMultiplier('1.2345') } } },
    'service_tiers.priority.factor must be a factor above 0 with up to three places',
  ],
  [{ service_tiers: { priority: { factor: parseMultiplier('10001') } } }, '10000 at most'],
  [
    { service_tiers: { priority: { ...PLAIN, tiers: [tier(2), tier(1)] } } },
    'service_tiers.priority.tiers.1.above_input_tokens must be a number above 2',
  ],
  [{ inference_geo: { global: { factor: parseMultiplier('2') } } }, 'inference_geo.global must be left out'],
  [
    { cache_read: usd('0.000000001'), inference_geo: { us: { factor: parseMultiplier('1.1') } } },
    'inference_geo.us.factor must be a factor that leaves every price at nine places',
  ],
  [
    { input: usd('9000000'), service_tiers: { priority: { factor: parseMultiplier('2') } } },
    'service_tiers must have factors that make a million tokens cost 10000000 USD at most',
  ],
  [
    { input: null, output: null, cache_read: null, per_request: usd('1'), tiers: [tier(1)] },
    'input must be a price, since prices of tokens in tiers stand beside it',
  ],
  [
    { input: null, output: null, cache_read: null, per_call: { web_search: usd('1') } },
    'input must be a price, unless',
  ],
] as const)('case %#: such prices are refused, and the field is named', ([more, said]) => {
  expect(objectionTo(more)).toContain(said)
})

test('what is empty is not there', () => {
  const prices = modelPricesOf({ ...PLAIN, tiers: [], service_tiers: {}, inference_geo: {}, per_call: {} })
  expect(Object.keys(prices)).toEqual(['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'other', 'units'])
})
