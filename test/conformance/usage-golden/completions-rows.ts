import { NO_UNITS } from '../../../src/core/units.ts'
import { type GoldenRow, PRICES } from './golden-row.ts'

const ONE = { ...NO_UNITS, requests: 1 }

/** `POST /v1/completions`, and a price for each request, which any wire may have. */
export const COMPLETIONS_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: prompt and completion',
    usage: `{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}`,
    tokens: { input: 5, output: 7 },
    sum: '5 × 2500 + 7 × 10000 = 82500',
  },
  {
    what: 'a cached prompt',
    usage: `{"prompt_tokens":50,"completion_tokens":7,"total_tokens":57,"prompt_tokens_details":{"cached_tokens":40}}`,
    tokens: { input: 10, cacheRead: 40, output: 7 },
    sum: '10 × 2500 + 40 × 250 + 7 × 10000 = 105000',
  },
  {
    what: 'missing is counted here',
    usage: `null`,
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
  {
    what: 'what came before the client left',
    cut: [`data: {"id":"c","choices":[{"index":0,"text":"Hello","finish_reason":null}]}`],
    tokens: { input: 11, output: 7 },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
  {
    what: 'a price for the request beside those for tokens',
    usage: `{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}`,
    prices: { ...PRICES, request: 10_000_000 },
    tokens: { input: 5, output: 7, units: ONE },
    sum: '5 × 2500 + 7 × 10000 + 1 × 10000000 = 10082500',
  },
  {
    what: 'a price for the request alone: tokens are reported and not charged',
    usage: `{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}`,
    prices: { request: 10_000_000 },
    tokens: { input: 5, output: 7, units: ONE },
    sum: '1 × 10000000 = 10000000',
  },
  {
    what: 'a price for the request alone, and nothing reported: nothing has to be counted',
    usage: `null`,
    prices: { request: 10_000_000 },
    tokens: { units: ONE },
    sum: '1 × 10000000 = 10000000',
  },
  {
    what: 'the multiplier is on the price of the request too, rounded up once',
    usage: `{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}`,
    prices: { input: 1, output: 1, request: 3 },
    multiplier: '0.333333',
    tokens: { input: 1, output: 1, units: ONE },
    sum: '1 × 1 + 1 × 1 + 1 × 3 = 5; × 0.333333 = 1.666665, rounded up 2',
  },
]
