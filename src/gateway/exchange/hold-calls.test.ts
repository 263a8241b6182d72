import { expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { CALLS_LIMIT, HELD_CALLS } from '../../core/limits.ts'
import { formatUsd, nanoUsd, ONE_PPM, parseMultiplier, parseUsd } from '../../core/money.ts'
import { priceOfMillion } from '../../core/prices.ts'
import type { Wire } from '../../core/wire.ts'
import { modelPricesOf } from '../../metering/prices/written-prices.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { admissionOf, costOfTokens, outputHeld } from './hold.ts'
import type { ChosenModel } from '../request/prepared.ts'

const fee = (usd: string) => priceOfMillion(parseUsd(usd))
const PRICES = modelPricesOf({
  input: parseUsd('1'),
  output: parseUsd('10'),
  per_call: {
    web_search: fee('0.01'),
    web_fetch: fee('0'),
    file_search: fee('0.0025'),
    code_interpreter: fee('0.03'),
    grounded_prompt: fee('0.035'),
  },
})
const BY = { heldInputTokens: 1_000, heldOutputTokens: 100, ignoresLimits: false }
const KEY = { id: 'key_1', rateLimit: null, quotaLimit: null, quotaReset: 'never' }
const CALLER = { key: KEY, account: { id: 'acc_1' }, subscriptions: [] }

function requestOf(wire: Wire, fields: object, { multiplier = ONE_PPM, name = 'theirs' } = {}) {
  const own = { model: 'm', input: 'x', max_tokens: 100, messages: [{ role: 'user', content: 'x' }], contents: [] }
  const body = Buffer.from(JSON.stringify({ ...own, ...fields }))
  const chosen = {
    model: { name: 'm', maxOutputTokens: 100, contextTokens: 1_000, targets: [{ model: name }] },
    prices: PRICES,
    group: { id: 'grp_1', multiplier },
  } as unknown as ChosenModel
  const protocol = protocolOf(wire)
  const head = protocol.readRequest(body, { fromPath: { model: 'm', isStream: false } })
  return { body, head, chosen, protocol }
}

/** What is held for the calls of a request, in USD. */
function feesHeld(wire: Wire, fields: object, options = {}): string {
  const request = requestOf(wire, fields, options)
  const nothing = { input: 0, output: 0 }
  return formatUsd(nanoUsd(costOfTokens(request, nothing) - costOfTokens(withoutFees(request), nothing)))
}

function withoutFees({ chosen, ...request }: ReturnType<typeof requestOf>) {
  const { calls: _, ...prices } = chosen.prices
  return { ...request, chosen: { ...chosen, prices } }
}

const SEARCH = { type: 'web_search_20250305', name: 'web_search' }
const FETCH = { type: 'web_fetch_20250910', name: 'web_fetch' }

test.for<[Wire, object, string]>([
  ['anthropic-messages', { tools: [{ ...SEARCH, max_uses: 5 }] }, '0.05'],
  ['anthropic-messages', { tools: [SEARCH] }, '1'],
  ['anthropic-messages', { tools: [{ ...SEARCH, max_uses: 1_000_000 }] }, '10'],
  ['anthropic-messages', { tools: [{ ...SEARCH, max_uses: 0 }] }, '0'],
  ['anthropic-messages', { tools: [{ ...SEARCH, max_uses: 5 }, FETCH] }, '0.05'],
  ['anthropic-messages', { tools: [FETCH] }, '0'],
  ['anthropic-messages', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }, '0.03'],
  ['openai-responses', { tools: [{ type: 'web_search' }], max_tool_calls: 3 }, '0.03'],
  ['openai-responses', { tools: [{ type: 'web_search' }, { type: 'file_search' }], max_tool_calls: 3 }, '0.03'],
  ['openai-responses', { tools: [{ type: 'file_search' }], max_tool_calls: 4 }, '0.01'],
  ['openai-responses', { tools: [{ type: 'web_search' }] }, '1'],
  ['openai-responses', { tools: [{ type: 'mcp', server_url: 'https://x.test' }] }, '0'],
  ['openai-chat', { web_search_options: {} }, '0.01'],
  ['gemini', { tools: [{ googleSearch: {} }, { codeExecution: {} }] }, '0.075'],
  ['gemini', { tools: [{ urlContext: {} }] }, '0'],
  ['openai-chat', { tools: [{ type: 'function', function: { name: 'f' } }] }, '0'],
])('%s: for the calls of %j is held $%s', ([wire, fields, usd]) => {
  expect(feesHeld(wire, fields)).toBe(usd)
})

test('the multiplier is on what is held for calls, too', () => {
  const tools = [{ ...SEARCH, max_uses: 5 }]
  expect(feesHeld('anthropic-messages', { tools }, { multiplier: parseMultiplier('1.5') })).toBe('0.075')
})

test('a model that searches with every request has one search held for', () => {
  expect(feesHeld('openai-chat', {}, { name: 'gpt-4o-search-preview' })).toBe('0.01')
})

/** The bound that goes upstream where so much is held of what was asked for. */
function bound(wire: Wire, fields: object, heldUsd: string | null) {
  const request = requestOf(wire, fields)
  const caller = CALLER as unknown as KeyWithOwner
  const asked = admissionOf({ ...request, caller }, { ...BY, nowMs: 0 })
  const held = heldUsd === null ? asked.amount : parseUsd(heldUsd)
  return { asked, hold: outputHeld(request, { held, asked: asked.amount }, BY), request }
}

test('where there is enough, a bound is sent only where the client names none', () => {
  expect(bound('anthropic-messages', { tools: [SEARCH] }, null).hold.calls).toBe(CALLS_LIMIT)
  expect(bound('anthropic-messages', { tools: [{ ...SEARCH, max_uses: 5 }] }, null).hold.calls).toBeUndefined()
  expect(bound('openai-responses', { tools: [{ type: 'web_search' }] }, null).hold.calls).toBe(CALLS_LIMIT)
  expect(bound('gemini', { tools: [{ googleSearch: {} }] }, null).hold.calls).toBeUndefined()
  expect(bound('anthropic-messages', { tools: [FETCH] }, null).hold.calls).toBeUndefined()
})

test.for([
  // The least is one call of $0.01 and 16 tokens of output, $0.00016: half of what is left beyond it goes to calls.
  ['0.011', 1],
  ['0.02', 1],
  ['0.0302', 2],
  ['0.05', 2],
  ['0.1', 5],
  ['0.5', 25],
] as const)('with $%s a request that names no bound may make %d calls', ([usd, calls]) => {
  for (const [wire, fields] of [
    ['anthropic-messages', { tools: [SEARCH] }],
    ['openai-responses', { tools: [{ type: 'web_search' }] }],
  ] as const) {
    const { hold, request } = bound(wire, fields, usd)
    expect(hold.calls).toBe(calls)
    const cost = costOfTokens({ ...request, hold }, { input: request.head.estimatedInputTokens, output: hold.tokens })
    expect(cost).toBeLessThanOrEqual(parseUsd(usd))
  }
})

test('a bound of the client that costs more than there is is lowered', () => {
  expect(bound('anthropic-messages', { tools: [{ ...SEARCH, max_uses: 50 }] }, '0.1').hold.calls).toBe(5)
  expect(bound('openai-responses', { tools: [{ type: 'web_search' }], max_tool_calls: 50 }, '0.1').hold.calls).toBe(5)
})

test('a request can do with one call of each tool, and not with less', () => {
  const { asked } = bound('anthropic-messages', { tools: [SEARCH, FETCH] }, null)
  const least = asked.less?.().least ?? parseUsd('0')
  expect(least).toBeGreaterThan(parseUsd('0.01'))
  expect(least).toBeLessThan(parseUsd('0.0104'))
  expect(asked.amount).toBeGreaterThan(parseUsd(`${HELD_CALLS / 100}`))
})
