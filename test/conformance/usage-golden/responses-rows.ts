import type { GoldenRow } from './golden-row.ts'

const CREATED = `event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","created_at":1,"model":"m","usage":null}}`

/** `POST /v1/responses`. */
export const RESPONSES_ROWS: readonly GoldenRow[] = [
  {
    what: 'whole numbers may be written as text',
    usage: `{"input_tokens":"36","output_tokens":"87","output_tokens_details":{"reasoning_tokens":"80"}}`,
    tokens: { input: 36, output: 87, reasoning: 80 },
    sum: '36 × 2500 + 87 × 10000 = 960000',
  },
  {
    what: 'OpenAI: details that are zero',
    usage: `{"input_tokens":36,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":87,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":123}`,
    tokens: { input: 36, cacheRead: 0, cacheWrite: 0, output: 87, reasoning: 0 },
    sum: '36 × 2500 + 87 × 10000 = 960000',
  },
  {
    what: 'OpenAI: most of the input was cached (Codex)',
    usage: `{"input_tokens":10818,"input_tokens_details":{"cached_tokens":9984,"cache_write_tokens":0},"output_tokens":8,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10826}`,
    prices: { input: 1000, cacheRead: 100, cacheWrite: 1250, output: 6000 },
    tokens: { input: 834, cacheRead: 9984, cacheWrite: 0, output: 8, reasoning: 0 },
    sum: '834 × 1000 + 9984 × 100 + 8 × 6000 = 1880400',
  },
  {
    what: 'OpenAI: the first request of that kind writes the cache',
    usage: `{"input_tokens":10818,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":9984},"output_tokens":8,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10826}`,
    prices: { input: 1000, cacheRead: 100, cacheWrite: 1250, output: 6000 },
    tokens: { input: 834, cacheRead: 0, cacheWrite: 9984, output: 8, reasoning: 0 },
    sum: '834 × 1000 + 9984 × 1250 + 8 × 6000 = 13362000',
  },
  {
    what: 'a cache without a price of its own costs what input costs',
    usage: `{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600,"cache_write_tokens":300},"output_tokens":1,"total_tokens":1001}`,
    prices: { input: 2500, output: 10000 },
    tokens: { input: 100, cacheRead: 600, cacheWrite: 300, output: 1 },
    sum: '100 × 2500 + 600 × 2500 + 300 × 2500 + 1 × 10000 = 2510000',
  },
  {
    what: 'thinking is within the output, at xAI too on this wire',
    usage: `{"input_tokens":41,"input_tokens_details":{"cached_tokens":32},"output_tokens":1250,"output_tokens_details":{"reasoning_tokens":1200},"total_tokens":1291,"num_sources_used":0,"num_server_side_tools_used":0}`,
    tokens: { input: 9, cacheRead: 32, output: 1250, reasoning: 1200 },
    sum: '9 × 2500 + 32 × 250 + 1250 × 10000 = 12530500',
  },
  {
    what: 'audio and images',
    usage: `{"input_tokens":400,"input_tokens_details":{"cached_tokens":0,"audio_tokens":100,"image_tokens":250},"output_tokens":60,"output_tokens_details":{"audio_tokens":40},"total_tokens":460}`,
    tokens: { input: 50, cacheRead: 0, output: 20, other: { audioInput: 100, imageInput: 250, audioOutput: 40 } },
    sum: '50 × 2500 + 100 × 40000 + 250 × 4000 + 20 × 10000 + 40 × 80000 = 8525000',
  },
  {
    what: 'details that are null (compatible servers)',
    usage: `{"input_tokens":36,"input_tokens_details":null,"output_tokens":87,"output_tokens_details":null,"total_tokens":123}`,
    tokens: { input: 36, output: 87 },
    sum: '36 × 2500 + 87 × 10000 = 960000',
  },
  {
    what: 'zero is not believed',
    usage: `{"input_tokens":0,"output_tokens":0,"total_tokens":0}`,
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
    notes: ['input_reported_as_none', 'output_reported_as_none'],
  },
  {
    what: 'usage that is null is missing',
    usage: `null`,
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
  {
    what: 'the output alone leaves the input to be counted',
    usage: `{"output_tokens":5}`,
    tokens: { input: 11, output: 5 },
    sum: '11 × 2500 + 5 × 10000 = 77500',
    isEstimated: true,
  },
  {
    what: 'more cached than sent',
    usage: `{"input_tokens":10,"input_tokens_details":{"cached_tokens":5000000000},"output_tokens":1,"total_tokens":11}`,
    tokens: { input: 0, cacheRead: 10, output: 1 },
    sum: '10 × 250 + 1 × 10000 = 12500',
  },
  {
    what: 'billions of tokens',
    usage: `{"input_tokens":8000000000,"output_tokens":8000000000,"total_tokens":16000000000}`,
    tokens: { input: 200000, output: 64000 },
    sum: '200000 × 2500 + 64000 × 10000 = 1140000000',
    isCapped: true,
    notes: ['input_above_limit', 'output_above_limit'],
  },
  {
    what: 'an answer that ended early has its usage in its own terminal event',
    events: [
      CREATED,
      `event: response.incomplete\ndata: {"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete","output":[],"usage":{"input_tokens":20,"output_tokens":16,"total_tokens":36}}}`,
    ],
    tokens: { input: 20, output: 16 },
    sum: '20 × 2500 + 16 × 10000 = 210000',
  },
  {
    what: 'usage in an earlier event is not a report of the whole',
    events: [
      `event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","created_at":1,"model":"m","usage":{"input_tokens":9,"output_tokens":9}}}`,
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":20,"output_tokens":3,"total_tokens":23}}}`,
    ],
    tokens: { input: 20, output: 3 },
    sum: '20 × 2500 + 3 × 10000 = 80000',
  },
  {
    what: 'a stream that was broken off is counted here',
    cut: [CREATED, `data: {"type":"response.output_text.delta","delta":"Hello"}`],
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
]
