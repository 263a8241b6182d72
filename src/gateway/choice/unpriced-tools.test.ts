import { expect, test } from 'vitest'
import { CALL_KINDS, type HostedTool } from '../../core/calls.ts'
import { Fault } from '../../core/faults.ts'
import { ONE_PPM, parseUsd } from '../../core/money.ts'
import { modelPricesOf, type WrittenPrices } from '../../metering/prices/written-prices.ts'
import { refuseUnpricedTools } from './unpriced.ts'
import type { ChosenModel } from '../request/prepared.ts'

const PLAIN: WrittenPrices = { input: parseUsd('3'), output: parseUsd('15') }
const FREE = parseUsd('0')

/** What is said of a request for this tool; null: it passes. */
function refusal(tools: readonly HostedTool[] | undefined, prices: WrittenPrices, upstreamName = 'm'): Fault | null {
  const chosen = {
    model: { name: 'my-model', targets: [{ model: upstreamName }] },
    prices: modelPricesOf(prices),
    group: { multiplier: ONE_PPM },
  } as unknown as ChosenModel
  try {
    refuseUnpricedTools(tools, chosen)
    return null
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

test.for(CALL_KINDS)('%s without a fee is refused by name, and with one or with 0 passes', (kind) => {
  const fault = refusal([kind], PLAIN)
  expect(fault).toMatchObject({ code: 'request_invalid', details: { param: 'tools' } })
  expect(fault?.message).toBe(
    `The model "my-model" has no fee for ${kind} here, which its provider runs and may charge for. Send the request without it, or ask an admin to add a fee for ${kind}, or 0, to the price of this model.`,
  )
  expect(refusal([kind], { ...PLAIN, per_call: { [kind]: parseUsd('1') } })).toBeNull()
  expect(refusal([kind], { ...PLAIN, per_call: { [kind]: FREE } })).toBeNull()
})

test('a search of Google’s has a price by its searches or by its prompts', () => {
  expect(refusal(['google_search'], PLAIN)?.message).toContain('no fee for web_search or grounded_prompt')
  expect(refusal(['google_search'], { ...PLAIN, per_call: { grounded_prompt: FREE } })).toBeNull()
  expect(refusal(['google_search'], { ...PLAIN, per_call: { web_search: FREE } })).toBeNull()
  expect(refusal(['web_search'], { ...PLAIN, per_call: { grounded_prompt: FREE } })).not.toBeNull()
})

test('one tool without a fee among others is enough', () => {
  const prices = { ...PLAIN, per_call: { web_search: FREE } }
  expect(refusal(['web_search', 'image_generation'], prices)?.message).toContain('image_generation')
})

test('a model that is served for nothing has tools for nothing', () => {
  expect(refusal(['web_search'], { input: FREE, output: FREE })).toBeNull()
})

test.for([
  'gpt-4o-search-preview-2025-03-11',
  'openai/gpt-5-search-api',
  'x-ai/grok-4:online',
  'GPT-4o-Search-Preview',
])('%s searches with every request, which needs a price', (name) => {
  expect(refusal(undefined, PLAIN, name)).toMatchObject({ code: 'request_invalid', details: { param: 'model' } })
  expect(refusal(undefined, { ...PLAIN, per_call: { web_search: FREE } }, name)).toBeNull()
  expect(refusal(undefined, { ...PLAIN, per_request: parseUsd('0.01') }, name)).toBeNull()
})

test('nearly every request asks for no tool, and no model of these names searches', () => {
  for (const name of ['gpt-5.5', 'o3-deep-research', 'search-preview', 'gpt-5-searching', 'online']) {
    expect(refusal(undefined, PLAIN, name)).toBeNull()
  }
})
