import type { GoldenRow } from './golden-row.ts'

/**
 * Prices of Anthropic's and Google's kinds: by the length of the prompt, the class of service, the place, and calls inside a
 * request. They are examples, and where each comes from stands beside it; no test depends on their being today's. The sums are
 * in nano-USD, worked out by hand from these and not from a factor.
 */

/**
 * Claude Opus 4.6, from Anthropic's own pages (platform.claude.com, November 2026): $5, writes $6.25 and of an hour $10, reads
 * $0.50, output $25. Fast mode: six times that, $30 and $150. Data residency: 1.1 times for `inference_geo: us`, on top. Web
 * search $10 for 1,000.
 */
const OPUS = {
  input: '5',
  output: '25',
  cache_read: '0.50',
  cache_write: '6.25',
  cache_write_1h: '10',
  service_tiers: { fast: { factor: '6' }, batch: { factor: '0.5' } },
  inference_geo: { us: { factor: '1.1' } },
  per_call: { web_search: '0.01' },
}

/**
 * Claude Sonnet 4 when its long prompts were dearer: above 200,000 tokens $6 and $22.50, by pages of others alone (apidog.com,
 * "Claude Sonnet 4.6 Pricing"; eonsr.com), found 2026-11. Those of the cache are twice the plain ones by the rule there that factors
 * of the cache apply on top; no page of Anthropic's was found for any of them.
 */
const SONNET = {
  input: '3',
  output: '15',
  cache_read: '0.30',
  cache_write: '3.75',
  cache_write_1h: '6',
  tiers: [
    {
      above_input_tokens: 200_000,
      input: '6',
      output: '22.50',
      cache_read: '0.60',
      cache_write: '7.50',
      cache_write_1h: '12',
    },
  ],
}

/**
 * Gemini 2.5 Pro, from pages of others (deploybase.ai, hivebook.wiki; Google's own was not found), November 2026: $1.25, cached $0.125 and $10; above 200,000 tokens $2.50, $0.25 and $15;
 * priority 1.8 times. $35 for 1,000 requests that searched, each once however often it did: answers of Google's staff in its
 * forum (discuss.ai.google.dev, threads 102927 and 104625). Gemini 3, $14 for 1,000 search queries: what users quote there from
 * Google's price page (thread 134866). The names of the classes are from Google's reference.
 */
const GEMINI_25 = {
  input: '1.25',
  output: '10',
  cache_read: '0.125',
  tiers: [{ above_input_tokens: 200_000, input: '2.50', output: '15', cache_read: '0.25' }],
  service_tiers: { priority: { factor: '1.8' }, flex: { factor: '0.5' } },
  per_call: { grounded_prompt: '0.035' },
}
const GEMINI_3 = { input: '2', output: '12', per_call: { web_search: '0.014', maps_grounding: '0.014' } }

const LONG = { bytes: 1_500_000 }

export const RULED_MESSAGES_ROWS: readonly GoldenRow[] = [
  {
    what: 'fast mode: six times the price, reads and writes of the cache too',
    price: OPUS,
    request: { fields: { speed: 'fast' } },
    usage: `{"input_tokens":1000,"cache_read_input_tokens":2000,"cache_creation_input_tokens":500,"output_tokens":300,"service_tier":"standard","speed":"fast"}`,
    tokens: { input: 1000, cacheRead: 2000, cacheWrite: 500, output: 300 },
    terms: { serviceTier: 'fast' },
    sum: '1000 × 30000 + 2000 × 3000 + 500 × 37500 + 300 × 150000 = 99750000',
  },
  {
    what: 'fast mode in the United States: both factors',
    price: OPUS,
    request: { fields: { speed: 'fast', inference_geo: 'us' } },
    usage: `{"input_tokens":1000,"output_tokens":300,"service_tier":"standard","speed":"fast","inference_geo":"us"}`,
    tokens: { input: 1000, output: 300 },
    terms: { serviceTier: 'fast', inferenceGeo: 'us' },
    sum: '1000 × 33000 + 300 × 165000 = 82500000',
  },
  {
    what: 'in the United States: 1.1 times the price of tokens, and not of searches',
    price: OPUS,
    request: { fields: { inference_geo: 'us' } },
    usage: `{"input_tokens":1000,"cache_read_input_tokens":2000,"cache_creation":{"ephemeral_1h_input_tokens":400},"output_tokens":300,"inference_geo":"us","server_tool_use":{"web_search_requests":2}}`,
    tokens: {
      input: 1000,
      cacheRead: 2000,
      cacheWrite: 0,
      cacheWrite1h: 400,
      output: 300,
      calls: { web_search: 2 },
    },
    terms: { inferenceGeo: 'us' },
    sum: '1000 × 5500 + 2000 × 550 + 400 × 11000 + 300 × 27500 + 2 × 10000000 = 39250000',
  },
  {
    what: 'anywhere, and of a model that knows no places: the plain price',
    price: OPUS,
    usage: `{"input_tokens":1000,"output_tokens":300,"service_tier":"standard","inference_geo":"not_available"}`,
    tokens: { input: 1000, output: 300 },
    sum: '1000 × 5000 + 300 × 25000 = 12500000',
  },
  {
    what: 'a place without a price that a workspace chose costs the plain price, and is noted',
    price: OPUS,
    usage: `{"input_tokens":1000,"output_tokens":300,"inference_geo":"eu"}`,
    tokens: { input: 1000, output: 300 },
    terms: { inferenceGeo: 'eu' },
    notes: ['terms_unpriced'],
    sum: '1000 × 5000 + 300 × 25000 = 12500000',
  },
  {
    what: 'a long prompt: what is read from and written to the cache counts into its length, and costs more as well',
    price: SONNET,
    request: LONG,
    usage: `{"input_tokens":1000,"cache_read_input_tokens":150000,"cache_creation_input_tokens":50000,"cache_creation":{"ephemeral_5m_input_tokens":30000,"ephemeral_1h_input_tokens":20000},"output_tokens":300}`,
    tokens: { input: 1000, cacheRead: 150_000, cacheWrite: 30_000, cacheWrite1h: 20_000, output: 300 },
    terms: { aboveInputTokens: 200_000 },
    sum: '1000 × 6000 + 150000 × 600 + 30000 × 7500 + 20000 × 12000 + 300 × 22500 = 567750000',
  },
  {
    what: 'searches that had begun when a stream was broken off',
    price: OPUS,
    cut: [
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":11,"output_tokens":1}}}`,
      `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}`,
      `event: content_block_stop\ndata: {"type":"content_block_stop","index":0}`,
      `event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s2","name":"web_search","input":{}}}`,
    ],
    tokens: { input: 11, output: 1, calls: { web_search: 2 } },
    isEstimated: true,
    sum: '11 × 5000 + 1 × 25000 + 2 × 10000000 = 20080000',
  },
  {
    what: 'of searches that began, those that the usage counts: a failed one is not charged',
    price: OPUS,
    events: [
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":1000,"output_tokens":1,"server_tool_use":{"web_search_requests":0}}}}`,
      `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}`,
      `event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s2","name":"web_search","input":{}}}`,
      `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":300,"server_tool_use":{"web_search_requests":1}}}`,
      `event: message_stop\ndata: {"type":"message_stop"}`,
    ],
    tokens: { input: 1000, output: 300, calls: { web_search: 1 } },
    sum: '1000 × 5000 + 300 × 25000 + 1 × 10000000 = 22500000',
  },
]

function gemini(candidate: string, usage: string): Pick<GoldenRow, 'answer' | 'events'> {
  const last = `{"candidates":[{"content":{"parts":[]},"finishReason":"STOP",${candidate}}],"usageMetadata":${usage}}`
  return {
    answer: `{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP",${candidate}}],"usageMetadata":${usage}}`,
    events: [`data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]}}]}`, `data: ${last}`],
  }
}

const GROUNDED = `"groundingMetadata":{"webSearchQueries":["a","b","a",""],"groundingChunks":[{"web":{"uri":"https://a.test/"}}]}`

export const RULED_GEMINI_ROWS: readonly GoldenRow[] = [
  {
    what: 'a long prompt',
    price: GEMINI_25,
    request: LONG,
    usage: `{"promptTokenCount":200001,"cachedContentTokenCount":100000,"candidatesTokenCount":500,"thoughtsTokenCount":100}`,
    tokens: { input: 100_001, cacheRead: 100_000, output: 600, reasoning: 100 },
    terms: { aboveInputTokens: 200_000 },
    sum: '100001 × 2500 + 100000 × 250 + 600 × 15000 = 284002500',
  },
  {
    what: 'priority, in Google’s capitals',
    price: GEMINI_25,
    request: { fields: { serviceTier: 'SERVICE_TIER_PRIORITY' } },
    usage: `{"promptTokenCount":1000,"candidatesTokenCount":500,"serviceTier":"PRIORITY"}`,
    tokens: { input: 1000, output: 500 },
    terms: { serviceTier: 'priority' },
    sum: '1000 × 2250 + 500 × 18000 = 11250000',
  },
  {
    what: 'priority that was not to be had costs the plain price',
    price: GEMINI_25,
    request: { fields: { service_tier: 'priority' } },
    usage: `{"promptTokenCount":1000,"candidatesTokenCount":500,"serviceTier":"standard"}`,
    tokens: { input: 1000, output: 500 },
    sum: '1000 × 1250 + 500 × 10000 = 6250000',
  },
  {
    what: 'the traffic type of Vertex AI',
    price: GEMINI_25,
    usage: `{"promptTokenCount":1000,"candidatesTokenCount":500,"trafficType":"ON_DEMAND_FLEX"}`,
    tokens: { input: 1000, output: 500 },
    terms: { serviceTier: 'flex' },
    sum: '1000 × 625 + 500 × 5000 = 3125000',
  },
  {
    what: 'a grounded prompt costs once, however often it searched',
    price: GEMINI_25,
    ...gemini(GROUNDED, `{"promptTokenCount":1000,"candidatesTokenCount":500}`),
    tokens: { input: 1000, output: 500, calls: { web_search: 2, grounded_prompt: 1 } },
    sum: '1000 × 1250 + 500 × 10000 + 1 × 35000000 = 41250000',
  },
  {
    what: 'each search query costs, once where it stands twice',
    price: GEMINI_3,
    ...gemini(GROUNDED, `{"promptTokenCount":1000,"candidatesTokenCount":500}`),
    tokens: { input: 1000, output: 500, calls: { web_search: 2, grounded_prompt: 1 } },
    sum: '1000 × 2000 + 500 × 12000 + 2 × 14000000 = 36000000',
  },
  {
    what: 'places of a map',
    price: GEMINI_3,
    ...gemini(
      `"groundingMetadata":{"groundingChunks":[{"maps":{"placeId":"p"}},{"maps":{"placeId":"q"}}]}`,
      `{"promptTokenCount":1000,"candidatesTokenCount":500}`,
    ),
    tokens: { input: 1000, output: 500, calls: { maps_grounding: 1 } },
    sum: '1000 × 2000 + 500 × 12000 + 1 × 14000000 = 22000000',
  },
]
