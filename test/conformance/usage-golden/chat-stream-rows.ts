import type { GoldenRow } from './golden-row.ts'

const HELLO = `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`
const STOP = `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
const DONE = `data: [DONE]`

/** Where and how often chat completions report in a stream. */
export const CHAT_STREAM_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: usage is null in every chunk but the last',
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}],"usage":null}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
      `data: {"id":"c","choices":[],"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}}`,
      DONE,
    ],
    tokens: { input: 19, output: 10 },
    sum: '19 × 2500 + 10 × 10000 = 147500',
  },
  {
    what: 'an upstream that reports nothing in its stream',
    events: [HELLO, STOP, DONE],
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
  {
    what: 'Groq: usage as x_groq.usage, in the chunk that finishes',
    events: [
      HELLO,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"x_groq":{"id":"req_01","usage":{"queue_time":0.07535312,"prompt_tokens":23,"prompt_time":0.006,"completion_tokens":19,"completion_time":0.022,"total_tokens":42,"total_time":0.028}}}`,
      DONE,
    ],
    tokens: { input: 23, output: 19 },
    sum: '23 × 2500 + 19 × 10000 = 247500',
  },
  {
    what: 'Groq: the same usage twice, in x_groq and in the chunk that was asked for',
    events: [
      HELLO,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"req_01","usage":{"prompt_tokens":23,"completion_tokens":19,"total_tokens":42}}}`,
      `data: {"id":"c","choices":[],"usage":{"prompt_tokens":23,"completion_tokens":19,"total_tokens":42}}`,
      DONE,
    ],
    tokens: { input: 23, output: 19 },
    sum: '23 × 2500 + 19 × 10000 = 247500',
  },
  {
    what: 'Moonshot: usage within the choice that finishes',
    events: [
      HELLO,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":500,"completion_tokens":20,"total_tokens":520,"cached_tokens":448}}]}`,
      DONE,
    ],
    tokens: { input: 52, cacheRead: 448, output: 20 },
    sum: '52 × 2500 + 448 × 250 + 20 × 10000 = 442000',
  },
  {
    what: 'vLLM: running counts in every chunk are the whole so far, and not added up',
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"He"},"finish_reason":null}],"usage":{"prompt_tokens":14,"total_tokens":15,"completion_tokens":1}}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":null}],"usage":{"prompt_tokens":14,"total_tokens":16,"completion_tokens":2}}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":14,"total_tokens":17,"completion_tokens":3}}`,
      `data: {"id":"c","choices":[],"usage":{"prompt_tokens":14,"total_tokens":17,"completion_tokens":3}}`,
      DONE,
    ],
    tokens: { input: 14, output: 3 },
    sum: '14 × 2500 + 3 × 10000 = 65000',
  },
  {
    what: 'zeros in every chunk and the counts in the last',
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":26,"completion_tokens":298,"total_tokens":324}}`,
      DONE,
    ],
    tokens: { input: 26, output: 298 },
    sum: '26 × 2500 + 298 × 10000 = 3045000',
  },
  {
    what: 'counts that shrink at the end: what was reported once stays',
    events: [
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":107}}`,
      `data: {"id":"c","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":0,"total_tokens":100,"prompt_tokens_details":{"cached_tokens":80}}}`,
      DONE,
    ],
    tokens: { input: 20, cacheRead: 80, output: 7 },
    sum: '20 × 2500 + 80 × 250 + 7 × 10000 = 140000',
  },
  {
    what: 'Azure: the filter’s chunk without choices first, the usage in a chunk of its own behind the finish',
    events: [
      `data: {"id":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`,
      HELLO,
      STOP,
      `data: {"id":"c","choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":12,"completion_tokens":7,"total_tokens":19}}`,
      DONE,
    ],
    tokens: { input: 12, output: 7 },
    sum: '12 × 2500 + 7 × 10000 = 100000',
  },
  {
    what: 'xAI: a chunk without anything behind the one with the usage',
    events: [
      HELLO,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":1,"total_tokens":399,"completion_tokens_details":{"reasoning_tokens":386}}}`,
      `data: {"id":"c","choices":[]}`,
      DONE,
    ],
    tokens: { input: 12, output: 387, reasoning: 386 },
    sum: '12 × 2500 + 387 × 10000 = 3900000',
  },
  {
    what: 'llama.cpp: timings beside the usage',
    events: [
      HELLO,
      STOP,
      `data: {"choices":[],"id":"c","usage":{"completion_tokens":31,"prompt_tokens":75,"total_tokens":106},"timings":{"cache_n":0,"prompt_n":75,"prompt_ms":180.025,"predicted_n":31,"predicted_ms":875.429}}`,
      DONE,
    ],
    tokens: { input: 75, output: 31 },
    sum: '75 × 2500 + 31 × 10000 = 497500',
  },
  {
    what: 'a stream that was broken off behind running counts: what we counted, where it is more',
    cut: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}],"usage":{"prompt_tokens":14,"total_tokens":16,"completion_tokens":2}}`,
    ],
    tokens: { input: 14, output: 7 },
    sum: '14 × 2500 + 7 × 10000 = 105000',
    isEstimated: true,
  },
  {
    what: 'a stream that was broken off behind running counts: what was reported, where it is more',
    cut: [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}],"usage":{"prompt_tokens":14,"total_tokens":44,"completion_tokens":30}}`,
    ],
    tokens: { input: 14, output: 30 },
    sum: '14 × 2500 + 30 × 10000 = 335000',
    isEstimated: true,
  },
  {
    what: 'a stream that was broken off before any report is charged as far as it came (sub2api #4408, new-api #7062)',
    cut: [HELLO],
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
]
