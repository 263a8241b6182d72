import { expect, test } from 'vitest'
import { type PlannedFrom, planFrom, priceOf, targetsOf } from '../../../test/support/import-sources/sub2api-plan.ts'
import { accountRow, ADA, groupRow, inGroups, keyIn } from '../../../test/support/import-sources/sub2api-rows.ts'
import type { Row } from '../source.ts'

const CARD = {
  platform: 'openai',
  models: '["m"]',
  input_price: '0.000001',
  output_price: '0.000004',
  cache_read_price: '0.0000001',
}

/** A group in one channel with this card. `isLong`: the group is charged by length. */
async function priced(
  card: Row,
  intervals: readonly Row[] = [],
  {
    isLong = true,
    name = 'm',
    pricing = null,
    shipped = [],
    accept = [],
    extra = {},
  }: {
    isLong?: boolean
    name?: string
    pricing?: unknown
    shipped?: string[]
    accept?: 'catalogue'[]
    extra?: object
  } = {},
): Promise<PlannedFrom> {
  return planFrom(
    {
      users: [ADA],
      api_keys: [keyIn('1')],
      groups: [
        groupRow('1', { long_context_pricing_enabled: isLong ? 't' : 'f', platform: card['platform'] ?? 'openai' }),
      ],
      accounts: [
        accountRow(
          '1',
          { model_mapping: { [name]: name } },
          {
            extra: JSON.stringify(extra),
            platform: card['platform'] ?? 'openai',
          },
        ),
      ],
      account_groups: inGroups('1', '1'),
      channels: [{ id: '1', name: 'c' }],
      channel_groups: [{ channel_id: '1', group_id: '1' }],
      channel_model_pricing: [{ ...CARD, id: '1', channel_id: '1', models: JSON.stringify([name]), ...card }],
      channel_pricing_intervals: intervals.map((each) => ({ pricing_id: '1', ...each })),
    },
    { pricing, shipped, accept },
  )
}

const LONG = { min_tokens: '200000', max_tokens: null, input_price: '0.000002', output_price: '0.000006' }
const FIRST = { min_tokens: '0', max_tokens: '1000', input_price: '0.0000005', output_price: null }
const LATER = { min_tokens: '5000', max_tokens: null, input_price: '0.000002', output_price: '0.000006' }

// From Wei-Shaw/sub2api#2107 (what no interval covers cost nothing), #5607 and #5621 (which groups are charged by length).
test.each([
  ['one that begins above 0', [LONG], '1/4 read 0.1, above 200000: 2/6 read 0.1', '1/4 read 0.1'],
  [
    'one from 0, and a gap behind it',
    [LATER, FIRST],
    '0.5/4 read 0.1, above 1000: 1/4 read 0.1, above 5000: 2/6 read 0.1',
    '0.5/4 read 0.1',
  ],
  [
    'one by a multiplier',
    [{ min_tokens: '1000', input_multiplier: '2.000000', output_multiplier: '1.500000' }],
    '1/4 read 0.1, above 1000: 2/6 read 0.1',
    '1/4 read 0.1',
  ],
  [
    'one by a multiplier of all',
    [{ min_tokens: '0', input_multiplier: '2', output_multiplier: '2', cache_read_multiplier: '2' }],
    '2/8 read 0.2',
    '2/8 read 0.2',
  ],
  ['one without any price', [{ min_tokens: '1000', max_tokens: null }], '1/4 read 0.1', '1/4 read 0.1'],
])(
  'intervals count in a group that is charged by length, and the least in any other: %s',
  async (...[, intervals, on, off]) => {
    const by = async (isLong: boolean) => {
      const plan = await priced({}, intervals, { isLong })
      return [priceOf(plan, 'm'), plan.asks]
    }
    expect([await by(true), await by(false)]).toEqual([
      [on, []],
      [off, []],
    ])
  },
)

test('an account of OpenAI’s may be charged by length where its group is not', async () => {
  const plan = await priced({}, [LONG], { isLong: false, extra: { openai_long_context_billing_enabled: true } })
  expect(priceOf(plan, 'm')).toBe('1/4 read 0.1, above 200000: 2/6 read 0.1')
})

test('longer prompts that cost less a token there, which no price here can say, are not sold', async () => {
  const plan = await priced({}, [{ ...LATER, max_tokens: '9000' }])
  expect(priceOf(plan, 'm')).toBeNull()
  expect(plan.report).toMatch(/models m: have a price that cannot be charged/)
})

test.each([
  ['of a request', { billing_mode: 'per_request', per_request_price: '0.02' }, [], '0.02 a request'],
  ['of a picture', { billing_mode: 'image', per_request_price: '0.04' }, [], '0.04 a picture'],
  [
    'of pictures of any size',
    { billing_mode: 'image' },
    [
      { tier_label: '1K', per_request_price: '0.04' },
      { tier_label: '2K', per_request_price: '0.04' },
    ],
    '0.04 a picture',
  ],
  [
    'by the size of pictures',
    { billing_mode: 'image', per_request_price: '0.04' },
    [{ tier_label: '4K', per_request_price: '0.08' }],
    null,
  ],
  [
    'of requests by their length',
    { billing_mode: 'per_request', per_request_price: '0.02' },
    [{ min_tokens: '1000', per_request_price: '0.04' }],
    null,
  ],
  ['of a second of a film', { billing_mode: 'video', per_request_price: '0.1' }, [], null],
])('prices that are not of tokens: %s', async (...[, card, intervals, said]) => {
  const plan = await priced(card, intervals)
  expect(priceOf(plan, 'm')).toBe(said)
  if (said === null)
    expect(plan.report).toMatch(/models m: (?:have several prices for one request|are charged by video)/)
})

const LISTED = {
  'gpt-4o': {
    input_cost_per_token: 0.0000025,
    output_cost_per_token: 0.00001,
    cache_read_input_token_cost: 0.00000125,
    litellm_provider: 'openai',
    mode: 'chat',
  },
  'claude-a-4-5': {
    input_cost_per_token: 0.000003,
    output_cost_per_token: 0.000015,
    cache_creation_input_token_cost: 0.00000375,
    cache_creation_input_token_cost_above_1hr: 0.000006,
    cache_read_input_token_cost: 3e-7,
    litellm_provider: 'anthropic',
  },
}
const NOTHING = { input_price: null, output_price: null, cache_read_price: null }

test('what a channel leaves out costs what the list says, and nothing where it does not know the name', async () => {
  const by = async (name: string, card: Row) => priceOf(await priced({ ...card }, [], { name, pricing: LISTED }), name)
  expect(await by('gpt-4o', { cache_read_price: null })).toBe('1/4 read 1.25 write 0')
  expect(await by('gpt-4o', { ...NOTHING, output_price: '0.000004' })).toBe('2.5/4 read 1.25 write 0')
  expect(await by('own-name', { cache_read_price: null })).toBe('1/4 read 0 write 0')
  // Some names that it does not know are priced there by what they look like.
  expect(await by('gpt-9', { cache_read_price: null })).toBe('1/4')
  const anthropic = { platform: 'anthropic', cache_read_price: null }
  // Dots and dashes are the same in such names: Wei-Shaw/sub2api#4754.
  expect(await by('claude-a-4-5', { ...anthropic, models: '["claude-a-4.5"]' })).toBe('1/4 read 0.3 write 3.75 hour 6')
  // A price of writing the cache is one of an hour of it.
  expect(await by('claude-a-4-5', { ...anthropic, cache_write_price: '0.000002' })).toBe('1/4 read 0.3 write 2')
})

test('names are compared in small letters, as in Wei-Shaw/sub2api#3394', async () => {
  expect(priceOf(await priced({ models: '["GLM-5.2"]' }, [], { name: 'glm-5.2' }), 'glm-5.2')).toBe('1/4 read 0.1')
})

test('without the list, cached input that a channel leaves to it has to be decided, where the name is a usual one', async () => {
  const usual = await priced({ cache_read_price: null }, [], { name: 'usual', shipped: ['usual'] })
  expect(usual.asks).toEqual(['catalogue: usual, cached input'])
  const accepted = await priced({ cache_read_price: null }, [], {
    name: 'usual',
    shipped: ['usual'],
    accept: ['catalogue'],
  })
  expect(priceOf(accepted, 'usual')).toBe('1/4 read 0.1 write 0')
  const other = await priced({ cache_read_price: null })
  expect(other.asks).toEqual([])
  expect(other.report).toMatch(/models m: have no price of cached input in the database/)
})

test('a model without a price of input and output is not sold without the list', async () => {
  const plan = await priced({ output_price: null })
  expect(priceOf(plan, 'm')).toBeNull()
  expect(plan.report).toMatch(/models m: have no price of input and output in the database/)
})

test('classes of service cost what the channel says, what the list says, and else what is built in there', async () => {
  const by = async (card: Row, pricing: unknown, name = 'm') => {
    const plan = await priced(card, [], { pricing, name })
    const services = plan.models[0]?.prices?.rules?.serviceTiers ?? new Map()
    return [...services].map(([service, each]) =>
      'factor' in each ? `${service} ×${each.factor}` : `${service} ${each.prices.input}/${each.prices.output}`,
    )
  }
  expect(await by({}, null)).toEqual(['priority ×2000000', 'flex ×500000'])
  expect(await by({ fast_multiplier: '1.800000', flex_multiplier: '0.600000' }, null)).toEqual([
    'priority ×1800000',
    'flex ×600000',
  ])
  const dear = { ...LISTED, 'gpt-4o': { ...LISTED['gpt-4o'], input_cost_per_token_priority: 0.00000425 } }
  // The list’s multiple, on the channel’s price; what it has no price of costs the plain one.
  expect(await by({}, dear, 'gpt-4o')).toEqual(['priority 1700000000/4000000000', 'flex ×500000'])
  expect(await by({ platform: 'anthropic' }, null)).toEqual(['fast ×2000000'])
  expect(await by({ platform: 'gemini' }, null)).toEqual([])
})

test('prices that are others at some hours are named', async () => {
  const periods = [{ start_time: '14:00', end_time: '18:00', multiplier: 1.5 }]
  const plan = await priced({ time_pricing: JSON.stringify({ timezone: 'Asia/Shanghai', periods }) })
  expect(plan.report).toMatch(/models m: are dearer or cheaper at some hours there/)
  expect((await priced({ time_pricing: '{"timezone":"","periods":[]}' })).report).not.toMatch(/some hours/)
})

test('a channel that restricts its group serves what it prices alone', async () => {
  const served = async (restricts: string) => {
    const tables = {
      users: [ADA],
      api_keys: [keyIn('1')],
      groups: [groupRow('1')],
      accounts: [accountRow('1', { model_mapping: { m: 'm', 'gpt-4o': 'gpt-4o' } })],
      account_groups: inGroups('1', '1'),
      channels: [{ id: '1', name: 'c', restrict_models: restricts }],
      channel_groups: [{ channel_id: '1', group_id: '1' }],
      channel_model_pricing: [{ ...CARD, id: '1', channel_id: '1' }],
    }
    return targetsOf(await planFrom(tables, { pricing: LISTED }), 'gpt-4o').length
  }
  expect([await served('t'), await served('f')]).toEqual([0, 1])
})
