import type { GoldenRow } from './golden-row.ts'

const START = 'event: messageStart\ndata: {"role":"assistant"}'
const HELLO = 'event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"Hello"}}'
const STOP = 'event: messageStop\ndata: {"stopReason":"end_turn"}'
const usage = (fields: string): string => `event: metadata\ndata: {"usage":{${fields}},"metrics":{"latencyMs":9}}`

/** Bedrock's Converse: reports in a whole answer, and in the event behind the end of a stream. */
export const CONVERSE_ROWS: readonly GoldenRow[] = [
  {
    what: 'Nova: input and output',
    usage: `{"inputTokens":125,"outputTokens":60,"totalTokens":185,"serverToolUsage":{}}`,
    tokens: { input: 125, output: 60 },
    sum: '125 × 2500 + 60 × 10000 = 912500',
  },
  {
    what: 'cached tokens are beside the input, whatever the total says',
    usage: `{"inputTokens":4,"outputTokens":50,"totalTokens":54,"cacheReadInputTokens":1000,"cacheWriteInputTokens":200}`,
    tokens: { input: 4, cacheRead: 1000, cacheWrite: 200, output: 50 },
    sum: '4 × 2500 + 1000 × 250 + 200 × 3125 + 50 × 10000 = 1385000',
  },
  {
    what: 'writes by how long they live',
    usage: `{"inputTokens":4,"outputTokens":1,"totalTokens":305,"cacheReadInputTokens":0,"cacheWriteInputTokens":300,"cacheDetails":[{"ttl":"1h","inputTokens":100},{"ttl":"5m","inputTokens":200}]}`,
    tokens: { input: 4, cacheRead: 0, cacheWrite: 200, cacheWrite1h: 100, output: 1 },
    sum: '4 × 2500 + 200 × 3125 + 100 × 5000 + 1 × 10000 = 1145000',
  },
  {
    what: 'usage that comes before the end of the message (anomalyco/opencode #46065)',
    events: [START, HELLO, usage('"inputTokens":20,"outputTokens":3,"totalTokens":23'), STOP],
    tokens: { input: 20, output: 3 },
    sum: '20 × 2500 + 3 × 10000 = 80000',
  },
  {
    what: 'metrics without usage take nothing away (anomalyco/opencode #38712)',
    events: [
      START,
      HELLO,
      'event: metadata\ndata: {"metrics":{"latencyMs":4}}',
      STOP,
      usage('"inputTokens":20,"outputTokens":3,"totalTokens":23'),
    ],
    tokens: { input: 20, output: 3 },
    sum: '20 × 2500 + 3 × 10000 = 80000',
  },
]
