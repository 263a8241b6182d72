import { expect, test } from 'vitest'
import { multipliersOf, planFrom, priceOf, targetsOf } from '../../../test/support/import-sources/sub2api-plan.ts'
import { accountRow, ADA, groupRow, inGroups, keyIn } from '../../../test/support/import-sources/sub2api-rows.ts'
import type { Sub2apiTables } from '../../../test/support/import-sources/sub2api-rows.ts'
import type { Row } from '../source.ts'

const CACHE = { cache_read_price: '0.0000001' }

/** A card of a channel: USD per token. */
function card(channel: string, [model, input, output]: readonly [string, string, string], row: Row = {}): Row {
  const prices = { input_price: input, output_price: output, ...CACHE }
  return { channel_id: channel, models: JSON.stringify([model]), platform: 'openai', ...prices, ...row }
}

/** Two groups, each in a channel of its own, and an account that serves both models to both. */
function twoGroups(cards: readonly Row[], own: Readonly<Record<string, unknown>> = {}): Sub2apiTables {
  return {
    users: [ADA],
    api_keys: [keyIn('1', '1'), keyIn('1', '2'), keyIn('2', '3')],
    groups: ['1', '2'].map((id) =>
      groupRow(id, {
        rate_multiplier: '1.5',
        long_context_pricing_enabled: 'f',
        model_pricing: own[id] === undefined ? null : JSON.stringify(own[id]),
      }),
    ),
    user_group_rate_multipliers: [{ user_id: '1', group_id: '2', rate_multiplier: '0.5' }],
    accounts: [accountRow('1', { model_mapping: { large: 'large', small: 'small' } })],
    account_groups: inGroups('1', '1', '2'),
    channels: ['1', '2'].map((id) => ({ id, name: `channel ${id}` })),
    channel_groups: ['1', '2'].map((id) => ({ id, channel_id: id, group_id: id })),
    channel_model_pricing: cards.map((row, i) => ({ id: String(i + 1), ...row })),
  }
}

const LARGE = card('1', ['large', '0.0000025', '0.00001'])
const SMALL = card('1', ['small', '0.00000015', '0.0000006'])
const cheap = (row: Row, channel = '2') => ({ ...row, channel_id: channel })

test('a model costs in each group what its channel says, where that is the same multiple for all models of the group', async () => {
  const plan = await planFrom(
    twoGroups([
      LARGE,
      SMALL,
      cheap(card('2', ['large', '0.000001', '0.000004'], { cache_read_price: '0.00000004' })),
      cheap(card('2', ['small', '0.00000006', '0.00000024'], { cache_read_price: '0.00000004' })),
    ]),
  )
  expect([priceOf(plan, 'large'), priceOf(plan, 'small')]).toEqual(['2.5/10 read 0.1', '0.15/0.6 read 0.1'])
  // The user’s own multiplier there is of the same prices.
  expect(multipliersOf(plan)).toEqual({ 'group 1': '1.5', 'group 2': '0.6', 'group 2·0.5': '0.2' })
  expect(targetsOf(plan, 'large')).toEqual(['account 1: large, 50, in group 1 and group 2 and group 2·0.5'])
  expect(plan.report).toContain('groups 2: have prices that are 0.4 times those of their models here')
})

test('a model whose price in a group is another multiple is not served in it, unless that is accepted', async () => {
  const tables = twoGroups([LARGE, SMALL, cheap(card('2', ['large', '0.000001', '0.000004'])), cheap(SMALL)])
  const plan = await planFrom(tables)
  expect(multipliersOf(plan)).toMatchObject({ 'group 1': '1.5', 'group 2': '1.5' })
  expect(targetsOf(plan, 'large')).toEqual(['account 1: large, 50, in group 1'])
  expect(targetsOf(plan, 'small')).toEqual(['account 1: small, 50, in group 1 and group 2 and group 2·0.5'])
  expect(plan.report).toMatch(/models large in group 2: are charged otherwise there .* --accept group-prices/)
  const accepted = await planFrom(tables, { accept: ['group-prices'] })
  expect(targetsOf(accepted, 'large')).toEqual(['account 1: large, 50, in group 1 and group 2 and group 2·0.5'])
  expect(accepted.asks).toEqual(['group-prices: large in group 2'])
})

test('the price is that of the group in which most keys are, whichever was made first', async () => {
  const tables = twoGroups([LARGE, SMALL, cheap(card('2', ['large', '0.000001', '0.000004'])), cheap(SMALL)])
  const moved = { ...tables, api_keys: [keyIn('2', '1'), keyIn('2', '2'), keyIn('1', '3')] }
  expect(priceOf(await planFrom(moved), 'large')).toBe('1/4 read 0.1')
})

test('a model that has no price that is known in a group is not served in it', async () => {
  const plan = await planFrom(twoGroups([LARGE, SMALL, cheap(SMALL)]))
  expect(targetsOf(plan, 'large')).toEqual(['account 1: large, 50, in group 1'])
})

const ENTRY = { billing_mode: 'token', cache_read_price: 8e-8 }
const OWN_LARGE = { ...ENTRY, models: ['large'], input_price: 0.000002, output_price: 0.000008 }
const OWN_SMALL = { ...ENTRY, models: ['small'], input_price: 1.2e-7, output_price: 4.8e-7 }
const BOTH = [LARGE, SMALL, cheap(LARGE), cheap(SMALL)]

test('prices that a group has of its own come before those of its channel, and their intervals do not count', async () => {
  const intervals = [{ min_tokens: 0, input_price: 9e-7 }]
  const plan = await planFrom(twoGroups(BOTH, { '2': [{ ...OWN_LARGE, intervals }, OWN_SMALL] }))
  expect(multipliersOf(plan)).toEqual({ 'group 1': '1.5', 'group 2': '1.2', 'group 2·0.5': '0.4' })
  expect([priceOf(plan, 'large'), plan.asks]).toEqual(['2.5/10 read 0.1', []])
})

test('a multiple with more than six decimals has to be accepted', async () => {
  const odd = [
    { ...OWN_LARGE, input_price: 2.500000333e-6, output_price: 1.0000001332e-5, cache_read_price: 1.0000001332e-7 },
    { ...OWN_SMALL, input_price: 1.5000001998e-7, output_price: 6.000000799e-7, cache_read_price: 1.0000001332e-7 },
  ]
  const { asks } = await planFrom(twoGroups(BOTH, { '2': [odd[0]] }))
  expect(asks).toEqual([])
  const thirds = ['0.0000007', '0.0000028', '0.00000007'] as const
  const third = {
    models: ['large'],
    billing_mode: 'token',
    input_price: 7e-7,
    output_price: 2.8e-6,
    cache_read_price: 7e-8,
  }
  const base = card('1', ['large', '0.0000021', '0.0000084'], { cache_read_price: '0.00000021' })
  expect(thirds).toHaveLength(3)
  const plan = await planFrom(twoGroups([base, cheap(base)], { '2': [third] }))
  expect(plan.asks).toEqual(['multiplier: group 2·0.5'])
})

test.each([
  ['of another multiple for another model', [OWN_LARGE, { ...OWN_SMALL, input_price: 1e-7 }], 'small'],
  ['of another multiple for output', [{ ...OWN_LARGE, output_price: 0.00001 }, OWN_SMALL], 'large'],
  ['for one request', [{ ...OWN_LARGE, billing_mode: 'per_request', per_request_price: 0.1 }, OWN_SMALL], 'large'],
  ['by the second', [{ ...OWN_LARGE, billing_mode: 'video', per_request_price: 0.1 }, OWN_SMALL], 'large'],
  ['that are free', [{ ...OWN_LARGE, input_price: 0, output_price: 0, cache_read_price: 0 }, OWN_SMALL], 'large'],
])('prices of a group %s are not charged to it by the price of another group', async (_name, own, model) => {
  const plan = await planFrom(twoGroups(BOTH, { '2': own }))
  expect(targetsOf(plan, model)).toEqual([`account 1: ${model}, 50, in group 1`])
  expect(priceOf(plan, model)).not.toBeNull()
})

test('prices of a group by patterns of names hold for what they stand for', async () => {
  const own = [{ ...ENTRY, models: ['*'], input_price: 0.000002, output_price: 0.000008 }]
  const plan = await planFrom(twoGroups([LARGE, cheap(LARGE)], { '2': own }))
  expect(multipliersOf(plan)).toMatchObject({ 'group 2': '1.2' })
})

test('a channel that is not active, and one without groups, price nothing', async () => {
  const tables = twoGroups([LARGE, cheap(LARGE)])
  const plan = await planFrom({
    ...tables,
    channels: [
      { id: '1', name: 'a', status: 'disabled' },
      { id: '2', name: 'b' },
      { id: '3', name: 'c' },
    ],
  })
  expect(targetsOf(plan, 'large')).toEqual(['account 1: large, 50, in group 2 and group 2·0.5'])
  expect(plan.report).toMatch(/channels 1: are not active/)
  expect(plan.report).toMatch(/channels 3: price no group/)
})
