import type { GoldenRow } from './golden-row.ts'

/**
 * Prices that depend on the length of the prompt, the class of service, the place, and calls inside a request. The prices are
 * examples of the kinds that providers have, and where each comes from stands beside it; no test depends on their being today's.
 * The sums are in nano-USD, worked out by hand from these and not from a factor.
 */

/**
 * GPT-5.4. From OpenAI's own pages: priority at $5, cached $0.50, output $30 ("Priority Processing for API Customers", openai.com),
 * and twice the input and 1.5 times the output for prompts above 272,000 tokens, of the whole request, with flex too ("GPT-5.4 pro",
 * developers.openai.com, found 2026-11). From pages of others that quote OpenAI's price page: the plain prices and flex at half
 * (tokenmix.ai, 2026-06), web search at $10 for 1,000 calls and file search at $2.50 (modelcostwatch.com, 2026-03). A container of
 * the code interpreter at $0.03 was looked for again in 2026-11 and confirmed by no page: it is an example.
 */
const GPT = {
  input: '2.50',
  output: '15',
  cache_read: '0.25',
  tiers: [{ above_input_tokens: 272_000, input: '5', output: '22.50', cache_read: '0.50' }],
  service_tiers: { priority: { input: '5', output: '30', cache_read: '0.50' }, flex: { factor: '0.5' } },
  per_call: { web_search: '0.01', file_search: '0.0025', code_interpreter: '0.03' },
}

const LONG = { bytes: 1_500_000 }

function chat(fields: string, chunk = fields): Pick<GoldenRow, 'answer' | 'events'> {
  return {
    answer: `{"id":"c","choices":[{"index":0,"message":{"content":"Hello"}}],${fields}}`,
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
      `data: {"id":"c","choices":[],${chunk}}`,
      `data: [DONE]`,
    ],
  }
}

const CHAT_USAGE = `"usage":{"prompt_tokens":1000,"completion_tokens":200,"prompt_tokens_details":{"cached_tokens":400}}`
const CHAT_TOKENS = { input: 600, cacheRead: 400, output: 200 }

export const RULED_CHAT_ROWS: readonly GoldenRow[] = [
  {
    what: 'a prompt of exactly the length is not above it',
    price: GPT,
    request: LONG,
    usage: `{"prompt_tokens":272000,"completion_tokens":1000,"prompt_tokens_details":{"cached_tokens":72000}}`,
    tokens: { input: 200_000, cacheRead: 72_000, output: 1000 },
    sum: '200000 × 2500 + 72000 × 250 + 1000 × 15000 = 533000000',
  },
  {
    what: 'one token more, and the whole request costs the price of long prompts, cached tokens counted in',
    price: GPT,
    request: LONG,
    usage: `{"prompt_tokens":272001,"completion_tokens":1000,"prompt_tokens_details":{"cached_tokens":72000}}`,
    tokens: { input: 200_001, cacheRead: 72_000, output: 1000 },
    terms: { aboveInputTokens: 272_000 },
    sum: '200001 × 5000 + 72000 × 500 + 1000 × 22500 = 1058505000',
  },
  {
    what: 'priority that was asked for and given',
    price: GPT,
    request: { fields: { service_tier: 'priority' } },
    ...chat(`"service_tier":"priority",${CHAT_USAGE}`),
    tokens: CHAT_TOKENS,
    terms: { serviceTier: 'priority' },
    sum: '600 × 5000 + 400 × 500 + 200 × 30000 = 9200000',
  },
  {
    what: 'priority that was asked for and not given costs the plain price',
    price: GPT,
    request: { fields: { service_tier: 'priority' } },
    ...chat(`"service_tier":"default",${CHAT_USAGE}`),
    tokens: CHAT_TOKENS,
    sum: '600 × 2500 + 400 × 250 + 200 × 15000 = 4600000',
  },
  {
    what: 'priority that was asked for costs its price where the answer names no class',
    price: GPT,
    request: { fields: { service_tier: 'priority' } },
    usage: `{"prompt_tokens":1000,"completion_tokens":200}`,
    tokens: { input: 1000, output: 200 },
    terms: { serviceTier: 'priority' },
    sum: '1000 × 5000 + 200 × 30000 = 11000000',
  },
  {
    what: 'flex that was asked for costs the plain price where the answer names no class',
    price: GPT,
    request: { fields: { service_tier: 'flex' } },
    usage: `{"prompt_tokens":1000,"completion_tokens":200}`,
    tokens: { input: 1000, output: 200 },
    sum: '1000 × 2500 + 200 × 15000 = 5500000',
  },
  {
    what: 'flex with a long prompt is half the price of long prompts',
    price: GPT,
    request: { ...LONG, fields: { service_tier: 'flex' } },
    ...chat(`"service_tier":"flex","usage":{"prompt_tokens":300000,"completion_tokens":1000}`),
    tokens: { input: 300_000, output: 1000 },
    terms: { serviceTier: 'flex', aboveInputTokens: 272_000 },
    sum: '300000 × 2500 + 1000 × 11250 = 761250000',
  },
  {
    what: 'own prices of a class hold for long prompts too where it has none of its own for these',
    price: GPT,
    request: { ...LONG, fields: { service_tier: 'priority' } },
    ...chat(`"service_tier":"priority","usage":{"prompt_tokens":300000,"completion_tokens":1000}`),
    tokens: { input: 300_000, output: 1000 },
    terms: { serviceTier: 'priority' },
    sum: '300000 × 5000 + 1000 × 30000 = 1530000000',
  },
  {
    what: 'a class that the provider chose costs its price',
    price: GPT,
    ...chat(`"service_tier":"priority",${CHAT_USAGE}`),
    tokens: CHAT_TOKENS,
    terms: { serviceTier: 'priority' },
    sum: '600 × 5000 + 400 × 500 + 200 × 30000 = 9200000',
  },
  {
    what: 'a class without a price that the provider chose costs the plain price, and is noted',
    price: GPT,
    ...chat(`"service_tier":"scale",${CHAT_USAGE}`),
    tokens: CHAT_TOKENS,
    terms: { serviceTier: 'scale' },
    notes: ['terms_unpriced'],
    sum: '600 × 2500 + 400 × 250 + 200 × 15000 = 4600000',
  },
  {
    what: 'a class is noted where the model has no prices of classes at all',
    price: { input: '2.50', output: '15' },
    ...chat(`"service_tier":"priority","usage":{"prompt_tokens":1000,"completion_tokens":200}`),
    tokens: { input: 1000, output: 200 },
    terms: { serviceTier: 'priority' },
    notes: ['terms_unpriced'],
    sum: '1000 × 2500 + 200 × 15000 = 5500000',
  },
  {
    what: 'a stream that was broken off before its class was named costs what was asked for, where that is dearer',
    price: GPT,
    request: { fields: { service_tier: 'priority' } },
    cut: [`data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`],
    tokens: { input: 11, output: 7 },
    terms: { serviceTier: 'priority' },
    isEstimated: true,
    sum: '11 × 5000 + 7 × 30000 = 265000',
  },
  {
    what: 'sources that an answer names are one search',
    price: GPT,
    answer: `{"choices":[{"message":{"content":"Hello","annotations":[{"type":"url_citation"},{"type":"url_citation"}]}}],"usage":{"prompt_tokens":1000,"completion_tokens":200}}`,
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation"}]},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation"}]},"finish_reason":"stop"}]}`,
      `data: {"id":"c","choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":200}}`,
      `data: [DONE]`,
    ],
    tokens: { input: 1000, output: 200, calls: { web_search: 1 } },
    sum: '1000 × 2500 + 200 × 15000 + 1 × 10000000 = 15500000',
  },
  {
    what: 'searches that the usage counts',
    price: GPT,
    usage: `{"prompt_tokens":1000,"completion_tokens":200,"server_tool_use":{"web_search_requests":3}}`,
    tokens: { input: 1000, output: 200, calls: { web_search: 3 } },
    sum: '1000 × 2500 + 200 × 15000 + 3 × 10000000 = 35500000',
  },
  {
    what: 'more searches than can be are charged at the bound, and noted',
    price: GPT,
    usage: `{"prompt_tokens":1000,"completion_tokens":200,"server_tool_use":{"web_search_requests":123456789}}`,
    tokens: { input: 1000, output: 200, calls: { web_search: 1000 } },
    isCapped: true,
    notes: ['calls_above_limit'],
    sum: '1000 × 2500 + 200 × 15000 + 1000 × 10000000 = 10005500000',
  },
]

const ITEMS = [
  `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"a"}}`,
  `{"id":"ws_2","type":"web_search_call","status":"completed","action":{"type":"open_page","url":"https://a.test/"}}`,
  `{"id":"ws_3","type":"web_search_call","status":"failed","action":{"type":"search","query":"b"}}`,
  `{"id":"fs_1","type":"file_search_call","status":"completed","queries":["c"]}`,
  `{"id":"fs_2","type":"file_search_call","status":"completed","queries":["d"]}`,
  `{"id":"ci_1","type":"code_interpreter_call","status":"completed","container_id":"cntr_1"}`,
  `{"id":"ci_2","type":"code_interpreter_call","status":"completed","container_id":"cntr_1"}`,
  `{"id":"m_1","type":"message","content":[{"type":"output_text","text":"Hello"}]}`,
]
const RESPONSES_CALLS = { web_search: 1, file_search: 2, code_interpreter: 1 }
const CREATED = `event: response.created\ndata: {"type":"response.created","response":{"id":"r","created_at":1,"model":"m","service_tier":"auto"}}`

function itemEvents(kind: 'added' | 'done', items: readonly string[]): string[] {
  return items.map(
    (item, index) =>
      `event: response.output_item.${kind}\ndata: {"type":"response.output_item.${kind}","output_index":${index},"item":${item}}`,
  )
}

export const RULED_RESPONSES_ROWS: readonly GoldenRow[] = [
  {
    what: 'searches, not pages that were opened and not failures; file searches; one container however often it ran',
    price: GPT,
    answer: `{"id":"r","status":"completed","output":[${ITEMS.join()}],"usage":{"input_tokens":1000,"output_tokens":200}}`,
    events: [
      CREATED,
      ...itemEvents('added', ITEMS),
      ...itemEvents('done', ITEMS),
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","output":[${ITEMS.join()}],"usage":{"input_tokens":1000,"output_tokens":200}}}`,
    ],
    tokens: { input: 1000, output: 200, calls: RESPONSES_CALLS },
    sum: '1000 × 2500 + 200 × 15000 + 1 × 10000000 + 2 × 2500000 + 1 × 30000000 = 50500000',
  },
  {
    what: 'calls of a stream whose end names none of them',
    price: GPT,
    events: [
      CREATED,
      ...itemEvents('done', ITEMS),
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","usage":{"input_tokens":1000,"output_tokens":200}}}`,
    ],
    tokens: { input: 1000, output: 200, calls: RESPONSES_CALLS },
    sum: '1000 × 2500 + 200 × 15000 + 1 × 10000000 + 2 × 2500000 + 1 × 30000000 = 50500000',
  },
  {
    what: 'a call that had begun when its stream was broken off',
    price: GPT,
    cut: [CREATED, ...itemEvents('added', [`{"id":"ws_1","type":"web_search_call","status":"in_progress"}`])],
    tokens: { input: 11, calls: { web_search: 1 } },
    isEstimated: true,
    sum: '11 × 2500 + 1 × 10000000 = 10027500',
  },
  {
    what: 'the class at the end holds, and not the wish that the start repeats',
    price: GPT,
    request: { fields: { service_tier: 'auto' } },
    answer: `{"id":"r","status":"completed","service_tier":"flex","output":[{"content":[{"text":"Hello"}]}],"usage":{"input_tokens":1000,"output_tokens":200}}`,
    events: [
      CREATED,
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","service_tier":"flex","usage":{"input_tokens":1000,"output_tokens":200}}}`,
    ],
    tokens: { input: 1000, output: 200 },
    terms: { serviceTier: 'flex' },
    sum: '1000 × 1250 + 200 × 7500 = 2750000',
  },
]
