import { expect, test } from 'vitest'
import { formatUsd, ONE_PPM } from '../../core/money.ts'
import { priceOfOne } from '../../core/prices.ts'
import { ImportNotes, type Acceptable } from '../import-plan.ts'
import { pricesOfFields } from './prices.ts'

function priced(fields: Readonly<Record<string, unknown>>, ...accepted: readonly Acceptable[]) {
  const notes = new ImportNotes()
  const settings = {
    accepted: new Set(accepted),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 0,
  } as const
  const prices = pricesOfFields('house', new Map(Object.entries(fields)), { settings, notes })
  return { prices, said: notes.notes.map(({ what }) => what) }
}

const PLAIN = { input_cost_per_token: '0.0000004', output_cost_per_token: 1.2e-6 }

test('reasoning, tiers, classes of service, places and fees of a configuration are carried to the nano', () => {
  const { prices, said } = priced({
    ...PLAIN,
    model: 'gemini/house',
    output_cost_per_reasoning_token: 4e-6,
    input_cost_per_token_above_200k_tokens: 8e-7,
    input_cost_per_token_priority: 6e-7,
    search_context_cost_per_query: { search_context_size_high: 0.035 },
    file_search_cost_per_1k_calls: 2.5,
    provider_specific_entry: { us: 1.1 },
  })
  const tier = prices?.rules?.lengthTiers[0]
  const service = prices?.rules?.serviceTiers.get('priority')
  expect(
    [prices?.input, prices?.output, prices?.other?.reasoningOutput].map((each) => formatUsd(each ?? (0n as never))),
  ).toEqual(['0.4', '1.2', '4'])
  expect([tier?.aboveInputTokens, formatUsd(tier?.prices.input ?? (0n as never))]).toEqual([200_000, '0.8'])
  expect(service).toMatchObject({ kind: 'prices', prices: { input: 600_000_000n, output: 1_200_000_000n } })
  expect(prices?.rules?.geoFactors.get('us')).toBe(1_100_000n)
  const fees = Object.entries(prices?.calls ?? {}).map(([kind, fee]) => [kind, formatUsd(priceOfOne(fee, ONE_PPM))])
  expect(fees).toEqual([
    ['file_search', '0.0025'],
    ['grounded_prompt', '0.035'],
  ])
  expect(said).toEqual([])
})

test('what has no counterpart is named with its reason, whatever a later version calls it', () => {
  const { prices, said } = priced({
    ...PLAIN,
    cost_per_mood: 2,
    ocr_cost_per_page: 0.001,
    annotation_cost_per_page: 0.002,
  })
  expect(prices?.calls).toBeUndefined()
  expect(said).toEqual([
    'have cost_per_mood, which is not carried: this version does not know what it is the price of',
    'have ocr_cost_per_page, annotation_cost_per_page, which is not carried: what it is for is not counted here',
  ])
})

test('a price that is finer than a nano-USD is asked for, wherever it stands', () => {
  const fine = { ...PLAIN, output_cost_per_reasoning_token: 4.5e-16 }
  expect(priced(fine)).toEqual({ prices: null, said: [expect.stringContaining('--accept price')] })
  expect(priced({ ...PLAIN, code_interpreter_cost_per_session: 1e-12 })).toMatchObject({ prices: null })
  expect(priced(fine, 'price').prices).not.toBeNull()
  expect(priced({ max_tokens: 5 })).toEqual({ prices: null, said: [] })
})
