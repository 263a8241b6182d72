import { expect, test } from 'vitest'
import { formatUsd, nanoUsd } from '../../core/money.ts'
import { ImportNotes } from '../import-notes.ts'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { readPrices } from './prices.ts'

const SETTINGS = {
  accepted: new Set<never>(),
  negative: null,
  admins: 'keep',
  pricing: null,
  oidcIssuer: null,
  nowMs: 0,
} as const
const ROW = { id: '1', models: '["m"]', billing_mode: 'token', input_price: '0.000001', output_price: '0.000004' }

async function priced(row: Record<string, string | null>, intervals: readonly Record<string, string | null>[] = []) {
  const notes = new ImportNotes()
  const tables = {
    channel_model_pricing: [row],
    channel_pricing_intervals: intervals.map((each, i) => ({ id: String(i + 1), pricing_id: '1', ...each })),
  }
  const read = await readPrices(rowsInMemory(tables), { settings: SETTINGS, notes })
  const prices = read.prices.get('m')
  const usd = (amount: bigint | null | undefined) => (amount == null ? null : formatUsd(nanoUsd(amount)))
  return {
    base: [usd(prices?.input), usd(prices?.output)],
    tiers: (prices?.rules?.lengthTiers ?? []).map(({ aboveInputTokens, prices: tier }) => [
      aboveInputTokens,
      usd(tier.input),
      usd(tier.output),
    ]),
    request: usd(prices?.units?.request),
    approximations: notes.approximations.map(({ name }) => name),
    said: notes.notes.map(({ what }) => what).join('; '),
  }
}

test('an interval that begins above 0 is a tier, and requests below it have the price of the row', async () => {
  const long = { min_tokens: '200000', max_tokens: null, input_price: '0.000002', output_price: '0.000006' }
  expect(await priced(ROW, [long])).toMatchObject({
    base: ['1', '4'],
    tiers: [[200_000, '2', '6']],
    approximations: [],
  })
})

test('the interval from 0 is the base, and what none covers has the price of the row', async () => {
  const first = { min_tokens: '0', max_tokens: '1000', input_price: '0.0000005', output_price: null }
  const later = { min_tokens: '5000', max_tokens: null, input_price: '0.000002', output_price: '0.000006' }
  expect(await priced(ROW, [later, first])).toMatchObject({
    base: ['0.5', '4'],
    tiers: [
      [1_000, '1', '4'],
      [5_000, '2', '6'],
    ],
    approximations: ['intervals'],
  })
  // Longer prompts cost less a token there, which no price here can say.
  expect(await priced(ROW, [{ ...later, max_tokens: '9000' }])).toMatchObject({
    base: [null, null],
    said: expect.stringContaining('cannot be charged'),
  })
})

test('a price of a request, and none at all', async () => {
  expect(await priced({ ...ROW, billing_mode: 'per_request', per_request_price: '0.02' })).toMatchObject({
    base: [null, null],
    request: '20000',
  })
  expect(await priced({ ...ROW, output_price: null })).toMatchObject({
    base: [null, null],
    said: expect.stringContaining('have no price of input and output for m'),
  })
})
