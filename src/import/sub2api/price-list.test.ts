import { expect, test } from 'vitest'
import { planFrom, priceOf, targetsOf } from '../../../test/support/import-sources/sub2api-plan.ts'
import { accountRow, ADA, groupRow, inGroups, keyIn } from '../../../test/support/import-sources/sub2api-rows.ts'
import type { Row } from '../source.ts'

const USED = { user_id: '1', api_key_id: '1', account_id: '1', group_id: '1' }

function asked(...names: readonly string[]): readonly Row[] {
  return names.map((name, i) => ({ ...USED, id: String(i + 1), model: name, requested_model: name }))
}

/** A database as it is made: accounts without maps, no channels, and some requests. */
function usual(usage_logs: readonly Row[], group: Row = {}) {
  return {
    users: [ADA],
    api_keys: [keyIn('1')],
    groups: [groupRow('1', group), groupRow('2', { platform: 'anthropic' })],
    accounts: [accountRow('1', {}, { platform: group['platform'] ?? 'openai' })],
    account_groups: inGroups('1', '1'),
    usage_logs,
  }
}

/** A list in the form of `model_prices_and_context_window.json`. */
const LIST = {
  sample_spec: { input_cost_per_token: 1 },
  'gpt-4o': cost(2.5, 10, { cache_read_input_token_cost: 0.00000125, litellm_provider: 'openai', mode: 'chat' }),
  'gpt-4o-mini': cost(0.15, 0.6, { litellm_provider: 'openai', mode: 'chat' }),
  'claude-a-4-5-20250929': cost(3, 15, { cache_creation_input_token_cost: 0.00000375, litellm_provider: 'anthropic' }),
  'claude-b-20250101': cost(3, 15),
  'claude-b-20250601': cost(4, 20),
  'gemini-a': cost(1.25, 10, { input_cost_per_token_above_200k_tokens: 0.0000025, litellm_provider: 'gemini' }),
  'long-a': cost(1, 2, {
    long_context_input_token_threshold: 128_000,
    long_context_input_cost_multiplier: 2,
    long_context_output_cost_multiplier: 1.5,
    cache_read_input_token_cost: 1e-7,
  }),
  'gpt-5.4': cost(2.5, 15, { cache_read_input_token_cost: 2.5e-7 }),
  'gpt-5.6-sol': cost(2, 8),
  'image-a': { output_cost_per_image: 0.04, litellm_provider: 'openai' },
}

function cost(input: number, output: number, more: object = {}) {
  return { input_cost_per_token: input / 1e6, output_cost_per_token: output / 1e6, ...more }
}

test('what was used lately is served at the prices of the list', async () => {
  const plan = await planFrom(usual(asked('gpt-4o', 'gpt-4o-mini', 'gpt-4o')), { pricing: LIST })
  expect(plan.models.map(({ name }) => [name, priceOf(plan, name)])).toEqual([
    ['gpt-4o', '2.5/10 read 1.25 write 0'],
    ['gpt-4o-mini', '0.15/0.6 read 0 write 0'],
  ])
  expect(targetsOf(plan, 'gpt-4o')).toEqual(['account 1: gpt-4o, 50, in group 1'])
})

test('without the list what was used is named first, with what gives it prices', async () => {
  const plan = await planFrom(usual(asked('gpt-4o', 'own')), { shipped: ['gpt-4o'] })
  expect(plan.models.map(({ name, prices }) => [name, prices])).toEqual([
    ['gpt-4o', null],
    ['own', null],
  ])
  const [, notCarried = ''] = plan.report.split('Not carried, or not as it was:\n')
  expect(notCarried.split('\n').slice(0, 2)).toEqual([
    '  models gpt-4o, own: have no price, and are not served before one is set',
    expect.stringMatching(/^ {2}models gpt-4o: are priced by sub2api’s own list.* --pricing .* --accept catalogue$/),
  ])
  const accepted = await planFrom(usual(asked('gpt-4o')), { shipped: ['gpt-4o'], accept: ['catalogue'] })
  expect([priceOf(accepted, 'gpt-4o'), accepted.asks]).toEqual(['1/2 read 0.1', ['catalogue: gpt-4o']])
})

test('where nothing was used yet, all is served that the list has of the maker', async () => {
  const plan = await planFrom(usual([]), { pricing: LIST })
  expect(plan.models.map(({ name }) => name)).toEqual(['gpt-4o', 'gpt-4o-mini'])
})

test.each([
  ['GPT-4o', '2.5/10 read 1.25 write 0'],
  ['models/gpt-4o', '2.5/10 read 1.25 write 0'],
  ['relay/gpt-4o', '2.5/10 read 1.25 write 0'],
  ['gpt-4o-20240806', '2.5/10 read 1.25 write 0'],
  ['claude-a-4-5', '3/15 read 0 write 3.75'],
  // Two of that name stand in the list at different prices: there it is either.
  ['claude-b', null],
  // There it is priced by what its name looks like.
  ['gpt-9', null],
  ['image-a', null],
])('%s is found in the list as it is there', async (name, price) => {
  const plan = await planFrom(usual(asked(name)), { pricing: LIST })
  expect(priceOf(plan, name)).toBe(price)
})

test.each([
  ['long-a', '1/2 read 0.1 write 0, above 128000: 2/3 read 0.2 write 0', '1/2 read 0.1 write 0'],
  ['gpt-5.4', '2.5/15 read 0.25 write 0, above 272000: 5/22.5 read 0.5 write 0', '2.5/15 read 0.25 write 0'],
  ['gpt-5.6-sol', '2/8 read 0 write 2.5, above 272000: 4/12 read 0 write 5', '2/8 read 0 write 2.5'],
])('%s costs more from a length on in groups that are charged by length', async (name, on, off) => {
  const by = async (flag: string) =>
    priceOf(await planFrom(usual(asked(name), { long_context_pricing_enabled: flag }), { pricing: LIST }), name)
  expect([await by('t'), await by('f')]).toEqual([on, off])
})

test('what of Gemini’s input is above 200,000 tokens costs twice there, which has to be accepted', async () => {
  const by = async (flag: string) => {
    const group = { platform: 'gemini', long_context_pricing_enabled: flag }
    const plan = await planFrom(usual(asked('gemini-a'), group), { pricing: LIST })
    return [priceOf(plan, 'gemini-a'), plan.asks]
  }
  const long = '1.25/10 read 0 write 0, above 200000: 2.5/10 read 0 write 0'
  expect(await by('t')).toEqual([long, ['intervals: gemini-a']])
  expect(await by('f')).toEqual(['1.25/10 read 0 write 0', []])
})

// From Wei-Shaw/sub2api#6781: there the channel’s price of the alias does not count where the list has the model behind it.
test('a model that an account maps is charged by the name behind the map, as the source does', async () => {
  const tables = {
    ...usual([]),
    accounts: [accountRow('1', { model_mapping: { 'my-gpt': 'gpt-4o' } })],
    channels: [{ id: '1', name: 'c' }],
    channel_groups: [{ id: '1', channel_id: '1', group_id: '1' }],
    channel_model_pricing: [
      {
        id: '1',
        channel_id: '1',
        platform: 'openai',
        models: '["my-gpt"]',
        input_price: '0.000001',
        output_price: '0.000002',
        cache_read_price: '0',
      },
    ],
  }
  const by = async (channel: Row, pricing: unknown) =>
    priceOf(await planFrom({ ...tables, channels: [{ id: '1', name: 'c', ...channel }] }, { pricing }), 'my-gpt')
  expect(await by({}, LIST)).toBe('2.5/10 read 1.25 write 0')
  expect(await by({ billing_model_source: 'requested' }, LIST)).toBe('1/2 read 0 write 0')
  expect(await by({}, null)).toBe('1/2 read 0')
  // The list that was not given is likely to have it.
  const unsure = await planFrom(tables, { shipped: ['gpt-4o'] })
  expect([priceOf(unsure, 'my-gpt'), unsure.report]).toEqual([
    null,
    expect.stringMatching(/models my-gpt: are priced by sub2api’s own list/),
  ])
})

test('names that a rule of a group answers by another model are not served as they are', async () => {
  const row = { ...USED, id: '1', model: 'claude-a', requested_model: 'claude-a', upstream_model: 'gpt-4o' }
  const plan = await planFrom(usual([row, { ...row, id: '2', requested_model: 'gpt-4o', model: 'gpt-4o' }]), {
    pricing: LIST,
  })
  expect(plan.models.map(({ name }) => name)).toEqual(['gpt-4o'])
  expect(plan.report).toMatch(/models claude-a: were answered by another model/)
})

test.each([[{ data: [] }], [['gpt-4o']], [{ 'gpt-4o': { model_ratio: 1 } }]])(
  'a file that is not such a list is refused: %j',
  async (pricing) => {
    await expect(planFrom(usual([]), { pricing })).rejects.toThrow(/--pricing names no list in the form of LiteLLM’s/)
  },
)
