import { NO_UNITS } from '../../../src/core/units.ts'
import type { GoldenRow } from './golden-row.ts'

const searches = (requests: number) => ({ ...NO_UNITS, requests })

/** $2 for a thousand. */
const BY_SEARCH = { request: 2_000_000 }

const cohere = (units: number): string =>
  `{"id":"r","results":[],"meta":{"api_version":{"version":"2"},"billed_units":{"search_units":${units}}}}`

/** `POST /v1/rerank`: never a stream, and no output to pay for. */
export const RERANK_ROWS: readonly GoldenRow[] = [
  {
    what: 'Jina: the total is the input',
    usage: `{"total_tokens":815}`,
    tokens: { input: 815, output: 0, units: searches(1) },
    sum: '815 × 2500 = 2037500',
  },
  {
    what: 'SiliconFlow: tokens within meta',
    answer: `{"results":[],"meta":{"tokens":{"input_tokens":30,"output_tokens":0},"billed_units":{"input_tokens":30}}}`,
    tokens: { input: 30, output: 0, units: searches(1) },
    sum: '30 × 2500 = 75000',
  },
  {
    what: 'Cohere: search units count as requests',
    answer: cohere(2),
    prices: BY_SEARCH,
    tokens: { units: searches(2) },
    sum: '2 × 2000000 = 4000000',
  },
  {
    what: 'nothing reported is one request, and no guess',
    usage: `null`,
    prices: BY_SEARCH,
    tokens: { units: searches(1) },
    sum: '1 × 2000000 = 2000000',
  },
  {
    what: 'more search units than there can be documents are charged at the bound',
    answer: cohere(1_000),
    prices: BY_SEARCH,
    tokens: { units: searches(52) },
    sum: '52 × 2000000 = 104000000',
    isCapped: true,
  },
  {
    what: 'by tokens, and nothing reported: counted here',
    answer: cohere(1),
    tokens: { input: 11, units: searches(1) },
    sum: '11 × 2500 = 27500',
    isEstimated: true,
  },
]

/** `POST /v1/moderations`: OpenAI reports nothing. */
export const MODERATIONS_ROWS: readonly GoldenRow[] = [
  {
    what: 'for nothing, where its price says so',
    usage: `null`,
    prices: { input: 0, output: 0 },
    tokens: { input: 11 },
    sum: '11 × 0 = 0',
    isEstimated: true,
  },
  {
    what: 'by the request',
    usage: `null`,
    prices: { request: 1_000_000 },
    tokens: { units: searches(1) },
    sum: '1 × 1000000 = 1000000',
  },
  {
    what: 'Mistral: tokens',
    usage: `{"prompt_tokens":9,"total_tokens":9,"completion_tokens":0}`,
    tokens: { input: 9, output: 0 },
    sum: '9 × 2500 = 22500',
  },
]
