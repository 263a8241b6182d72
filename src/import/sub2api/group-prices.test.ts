import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { notesReport } from '../report.ts'
import { readSub2api } from './read-sub2api.ts'

const GROUP = { rate_multiplier: '1.5', status: 'active', is_exclusive: 'f', subscription_type: 'standard' }
const CHANNEL = { billing_mode: 'token', cache_read_price: null, cache_write_price: null, per_request_price: null }

/** The multipliers of the group, which has these prices of its own, and of the closed group of a user with 0.5 in it. */
async function withPrices(own: unknown, more: Readonly<Record<string, string>> = {}) {
  const source = rowsInMemory({
    users: [{ id: '1', email: 'a@example.test', status: 'active', balance: '1' }],
    groups: [
      { ...GROUP, id: '1', name: 'all', platform: 'openai', model_pricing: own === null ? null : JSON.stringify(own) },
      { ...GROUP, id: '2', name: 'other', platform: 'openai', model_pricing: null },
    ],
    user_group_rate_multipliers: [{ user_id: '1', group_id: '1', rate_multiplier: '0.5' }],
    api_keys: [],
    accounts: [
      {
        id: '1',
        name: 'house',
        platform: 'openai',
        type: 'apikey',
        status: 'active',
        credentials: JSON.stringify({ api_key: 'sk-a', model_mapping: { one: 'one', once: 'once', ...more } }),
      },
    ],
    account_groups: ['1', '2'].map((id) => ({ account_id: '1', group_id: id })),
    channel_model_pricing: [
      { ...CHANNEL, id: '1', models: '["one"]', input_price: '0.000001', output_price: '0.000004' },
      { ...CHANNEL, id: '2', models: '["once"]', billing_mode: 'per_request', per_request_price: '0.04' },
    ],
  })
  const settings = {
    accepted: new Set<never>(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
  } as const
  const { groups, notes, approximations } = await readSub2api(source, { ...settings, nowMs: 0 })
  return {
    multipliers: Object.fromEntries(groups.map(({ name, multiplier }) => [name, Number(multiplier) / 1e6])),
    isNoted: notesReport(notes).some((line) => line.includes('groups 1: have model_pricing')),
    accept: approximations.map(({ name, subjects }) => `${name} ${subjects.join()}`),
  }
}

const ONE = { models: ['one'], billing_mode: 'token', input_price: 8e-7, output_price: 0.0000032 }
const ONCE = { models: ['once'], billing_mode: 'per_request', per_request_price: 0.032 }
const AS_BEFORE = { all: 1.5, other: 1.5, 'all·0.5': 0.5 }

test('prices of a group that are the same multiple of all that its models have are part of its multiplier', async () => {
  expect(await withPrices([ONE, ONCE])).toEqual({
    multipliers: { all: 1.2, other: 1.5, 'all·0.5': 0.4 },
    isNoted: false,
    accept: [],
  })
  expect(await withPrices(null)).toEqual({ multipliers: AS_BEFORE, isNoted: false, accept: [] })
})

test('a multiple with more than six decimals has to be accepted', async () => {
  const third = { ...ONE, input_price: 7e-7, output_price: 0.0000028 }
  const { accept } = await withPrices([third, { ...ONCE, per_request_price: 0.028 }])
  expect(accept).toEqual([])
  const odd = { ...ONE, input_price: 7.000001e-7, output_price: 0.0000028000004 }
  expect((await withPrices([odd, { ...ONCE, per_request_price: 0.028000004 }])).accept).toEqual([
    'multiplier all,all·0.5',
  ])
})

test.each([
  ['of one of its models alone', [ONE]],
  ['of another multiple for another model', [ONE, { ...ONCE, per_request_price: 0.03 }]],
  ['of another multiple for output', [{ ...ONE, output_price: 0.000004 }, ONCE]],
  ['of a kind of tokens that has none here', [{ ...ONE, cache_read_price: 1e-7 }, ONCE]],
  ['that are free here and not there', [{ ...ONE, input_price: 0 }, ONCE]],
  ['by length', [{ ...ONE, intervals: [{ min_tokens: 0, input_price: 8e-7 }] }, ONCE]],
  ['for what is charged beside tokens', [{ ...ONE, image_output_price: 1e-5 }, ONCE]],
  ['by patterns of names', [{ ...ONE, models: ['o*'] }]],
  ['in a form that is not known', { one: 1 }],
])('prices of a group %s are named, and its multiplier stays', async (_name, own) => {
  expect(await withPrices(own)).toEqual({ multipliers: AS_BEFORE, isNoted: true, accept: [] })
})

test('prices of a group stay apart from its multiplier where a model that it serves has none', async () => {
  expect(await withPrices([ONE, ONCE], { more: 'more' })).toMatchObject({ multipliers: AS_BEFORE, isNoted: true })
})
