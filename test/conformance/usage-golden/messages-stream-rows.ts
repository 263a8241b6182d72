import type { GoldenRow } from './golden-row.ts'

const TEXT = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`
const STOP = `event: message_stop\ndata: {"type":"message_stop"}`

function start(usage: string): string {
  return `event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"usage":${usage}}}`
}

function delta(usage: string): string {
  return `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":${usage}}`
}

/** What a message says of its usage at its start, and what at its end. */
export const MESSAGES_STREAM_ROWS: readonly GoldenRow[] = [
  {
    what: 'the input at the start, the output at the end',
    events: [
      start(
        `{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":10,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1}`,
      ),
      TEXT,
      delta(`{"output_tokens":15}`),
      STOP,
    ],
    tokens: { input: 25, cacheRead: 10, cacheWrite: 0, cacheWrite1h: 0, output: 15 },
    sum: '25 × 2500 + 10 × 250 + 15 × 10000 = 215000',
  },
  {
    what: 'Anthropic repeats the whole at the end, without the lives of the writes (langchainjs #10250: counted twice)',
    events: [
      start(
        `{"input_tokens":2,"cache_creation_input_tokens":4711,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":711,"ephemeral_1h_input_tokens":4000},"output_tokens":4}`,
      ),
      TEXT,
      delta(
        `{"input_tokens":2,"cache_creation_input_tokens":4711,"cache_read_input_tokens":0,"output_tokens":64,"server_tool_use":{"web_search_requests":0}}`,
      ),
      STOP,
    ],
    tokens: { input: 2, cacheRead: 0, cacheWrite: 711, cacheWrite1h: 4000, output: 64 },
    sum: '2 × 2500 + 711 × 3125 + 4000 × 5000 + 64 × 10000 = 22866875',
  },
  {
    what: 'members that are null at the end',
    events: [
      start(`{"input_tokens":25,"cache_read_input_tokens":10,"output_tokens":1}`),
      TEXT,
      delta(
        `{"input_tokens":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,"output_tokens":15}`,
      ),
      STOP,
    ],
    tokens: { input: 25, cacheRead: 10, output: 15 },
    sum: '25 × 2500 + 10 × 250 + 15 × 10000 = 215000',
  },
  {
    what: 'Moonshot, Alibaba: the whole input at the start, and at the end what of it was cached (bifrost #5510, #5355)',
    events: [
      start(`{"input_tokens":8834,"output_tokens":0}`),
      TEXT,
      delta(
        `{"input_tokens":18,"output_tokens":426,"cache_creation_input_tokens":0,"cache_read_input_tokens":8831,"cache_creation":{"ephemeral_5m_input_tokens":0},"prompt_tokens":8849}`,
      ),
      STOP,
    ],
    tokens: { input: 18, cacheRead: 8831, cacheWrite: 0, output: 426 },
    sum: '18 × 2500 + 8831 × 250 + 426 × 10000 = 6512750',
  },
  {
    what: 'Alibaba: the same, and the end does not repeat the input (rust-genai #258)',
    events: [
      start(`{"input_tokens":3610,"output_tokens":0}`),
      TEXT,
      delta(
        `{"cache_creation_input_tokens":0,"cache_read_input_tokens":3604,"prompt_tokens_details":{"cached_tokens":3604},"output_tokens":878}`,
      ),
      STOP,
    ],
    tokens: { input: 6, cacheRead: 3604, cacheWrite: 0, output: 878 },
    sum: '6 × 2500 + 3604 × 250 + 878 × 10000 = 9696000',
  },
  {
    what: 'zeros at the start, everything at the end',
    events: [
      start(`{"input_tokens":0,"output_tokens":0}`),
      TEXT,
      delta(`{"input_tokens":123,"cache_read_input_tokens":40,"output_tokens":45}`),
      STOP,
    ],
    tokens: { input: 123, cacheRead: 40, output: 45 },
    sum: '123 × 2500 + 40 × 250 + 45 × 10000 = 767500',
  },
  {
    what: 'everything at the start, zeros at the end',
    events: [
      start(`{"input_tokens":25,"cache_creation_input_tokens":5,"cache_read_input_tokens":10,"output_tokens":1}`),
      TEXT,
      delta(`{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":15}`),
      STOP,
    ],
    tokens: { input: 25, cacheRead: 10, cacheWrite: 5, output: 15 },
    sum: '25 × 2500 + 10 × 250 + 5 × 3125 + 15 × 10000 = 230625',
  },
  {
    what: 'the input at the start, zeros for everything at the end',
    events: [
      start(`{"input_tokens":25,"output_tokens":1}`),
      TEXT,
      delta(`{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":15}`),
      STOP,
    ],
    tokens: { input: 25, cacheRead: 0, cacheWrite: 0, output: 15 },
    sum: '25 × 2500 + 15 × 10000 = 212500',
  },
  {
    what: 'the cache at the start, zeros for it at the end',
    events: [
      start(`{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":900,"output_tokens":1}`),
      TEXT,
      delta(`{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":15}`),
      STOP,
    ],
    tokens: { input: 25, cacheRead: 900, cacheWrite: 0, output: 15 },
    sum: '25 × 2500 + 900 × 250 + 15 × 10000 = 437500',
  },
  {
    what: 'the lives of the writes change between start and end: charged once (sub2api #6125)',
    events: [
      start(
        `{"input_tokens":5,"cache_creation_input_tokens":4631,"cache_creation":{"ephemeral_5m_input_tokens":4631,"ephemeral_1h_input_tokens":0},"output_tokens":1}`,
      ),
      TEXT,
      delta(
        `{"input_tokens":5,"cache_creation_input_tokens":4631,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":4631},"output_tokens":9}`,
      ),
      STOP,
    ],
    tokens: { input: 5, cacheWrite: 0, cacheWrite1h: 4631, output: 9 },
    sum: '5 × 2500 + 4631 × 5000 + 9 × 10000 = 23257500',
  },
  {
    what: 'a compaction at the end, beside an input that only the start had',
    events: [
      start(`{"input_tokens":23,"output_tokens":1}`),
      TEXT,
      delta(
        `{"output_tokens":40,"iterations":[{"type":"compaction","input_tokens":1800,"output_tokens":350},{"type":"message","input_tokens":23,"output_tokens":40}]}`,
      ),
      STOP,
    ],
    tokens: { input: 1823, output: 390 },
    sum: '1823 × 2500 + 390 × 10000 = 8457500',
  },
  {
    what: 'a report at the end alone',
    events: [start(`null`), TEXT, delta(`{"input_tokens":12,"output_tokens":6}`), STOP],
    tokens: { input: 12, output: 6 },
    sum: '12 × 2500 + 6 × 10000 = 90000',
  },
  {
    what: 'a report at the start alone: its output was an interim one',
    events: [start(`{"input_tokens":12,"output_tokens":1}`), TEXT, delta(`null`), STOP],
    tokens: { input: 12, output: 7 },
    sum: '12 × 2500 + 7 × 10000 = 100000',
    isEstimated: true,
  },
  {
    what: 'a message that was broken off: the input as reported, the output counted here',
    cut: [start(`{"input_tokens":25,"cache_read_input_tokens":10,"output_tokens":1}`), TEXT],
    tokens: { input: 25, cacheRead: 10, output: 7 },
    sum: '25 × 2500 + 10 × 250 + 7 × 10000 = 135000',
    isEstimated: true,
  },
]
