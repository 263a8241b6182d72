import type { NanoUsd } from '../../core/money.ts'
import type { TokenPriceField } from '../../core/price-fields.ts'
import type { TierPrices } from '../../core/price-rules.ts'

/** What each kind of token is charged at: a kind without a price of its own costs what the input or output costs. */
export const CHARGED_PRICES = {
  input: ({ input }) => input,
  output: ({ output }) => output,
  reasoning_output: ({ output, other }) => other?.reasoningOutput ?? output,
  cache_read: ({ cacheRead, input }) => cacheRead ?? input,
  cache_write: ({ cacheWrite, input }) => cacheWrite ?? input,
  cache_write_1h: ({ cacheWrite1h, cacheWrite, input }) => cacheWrite1h ?? cacheWrite ?? input,
  audio_input: ({ other, input }) => other?.audioInput ?? input,
  image_input: ({ other, input }) => other?.imageInput ?? input,
  audio_output: ({ other, output }) => other?.audioOutput ?? output,
} as const satisfies Record<TokenPriceField, (prices: TierPrices) => NanoUsd | null>
