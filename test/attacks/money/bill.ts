/** What a call costs the admin, by the provider's price list: the same prices that the attacked models have. */
import type { BilledCall } from '../../support/provider/ledger.ts'

/**
 * Nano-USD for a token, and in the form that models take: USD for a million. A step of output is a tenth of a cent, so that
 * many requests run at once on a cent before it is gone.
 */
const PRICES = { input: 200n, output: 1_000n, cacheRead: 20n, cacheWrite: 250n, cacheWrite1h: 400n, audio: 2_000n }

/** Nano-USD for a token of input. */
export const INPUT_PRICE = PRICES.input
/** Nano-USD for a token of output. */
export const OUTPUT_PRICE = PRICES.output

export const MODEL_PRICES = {
  input: '0.2',
  output: '1',
  cache_read: '0.02',
  cache_write: '0.25',
  cache_write_1h: '0.4',
  audio_output: '2',
} as const

/** Percent of the plain price, as providers list them: OpenAI's and Google's priority, Anthropic's fast mode. */
const DEAR_PERCENT: Readonly<Record<string, bigint>> = { priority: 200n, fast: 600n, us: 110n }

/** A model of the kind `priced` is dearer for long prompts and charged for calls; both are in its prices here as well. */
const LONG_PROMPT = { above: 20_000, input: 400n, output: 1_500n }
const CALLS = { webSearch: 10_000_000n, fileSearch: 2_500_000n, codeInterpreter: 30_000_000n }

/** A model of the kind `tooled` has a fee for each tool, so small that a cent pays for some calls. */
const TOOLED_CALLS = {
  webSearch: 1_000_000n,
  webFetch: 500_000n,
  fileSearch: 500_000n,
  codeInterpreter: 2_000_000n,
  imageGeneration: 2_000_000n,
  xSearch: 1_000_000n,
  maps: 2_000_000n,
}

export const TOOLED_PRICES = {
  web_search: '0.001',
  web_fetch: '0.0005',
  file_search: '0.0005',
  code_interpreter: '0.002',
  image_generation: '0.002',
  x_search: '0.001',
  maps_grounding: '0.002',
} as const

/** All other models are of providers that charge for no call, and say so. */
export const FREE_CALLS = Object.fromEntries(Object.keys(TOOLED_PRICES).map((kind) => [kind, '0']))

export const DEAR_PRICES = {
  ...MODEL_PRICES,
  tiers: [{ above_input_tokens: LONG_PROMPT.above, input: '0.4', output: '1.5', audio_output: '2' }],
  service_tiers: { priority: { factor: '2' }, fast: { factor: '6' } },
  inference_geo: { us: { factor: '1.1' } },
  per_call: { web_search: '0.01', file_search: '0.0025', code_interpreter: '0.03' },
} as const

/** Nano-USD. */
export function billOf(call: BilledCall): bigint {
  const isPriced = call.model === 'priced'
  const isLong = isPriced && call.input + call.cacheRead > LONG_PROMPT.above
  const { input, output } = isLong ? LONG_PROMPT : PRICES
  const plain =
    BigInt(call.input) * input +
    BigInt(call.cacheRead) * PRICES.cacheRead +
    BigInt(call.cacheWrite) * PRICES.cacheWrite +
    BigInt(call.cacheWrite1h) * PRICES.cacheWrite1h +
    BigInt(call.output - call.audio) * output +
    BigInt(call.audio) * PRICES.audio
  const factors = [call.tier, call.speed, call.region].map((name) => DEAR_PERCENT[name ?? ''] ?? 100n)
  const tokens = factors.reduce((sum, percent) => (sum * percent) / 100n, plain)
  return tokens + feesOf(call)
}

/** Nano-USD for the calls of its own tools alone. */
export function feesOf({ model, calls }: BilledCall): bigint {
  if (model === 'tooled') {
    const kinds = Object.keys(TOOLED_CALLS) as (keyof typeof TOOLED_CALLS)[]
    return kinds.reduce((sum, kind) => sum + BigInt(calls[kind]) * TOOLED_CALLS[kind], 0n)
  }
  if (model !== 'priced') return 0n
  return (
    BigInt(calls.webSearch) * CALLS.webSearch +
    BigInt(calls.fileSearch) * CALLS.fileSearch +
    BigInt(calls.codeInterpreter) * CALLS.codeInterpreter
  )
}

/** One step of output at these prices: what a request may pass a limit by. */
export const STEP = 1_024n * PRICES.output

/** USD in decimals, to six places. */
export function usd(nano: bigint): string {
  return `$${(Number(nano) / 1e9).toFixed(6)}`
}
