import type { RateLimit, SpendWindow } from '../../access/api-key.ts'
import { nanoUsd } from '../../core/money.ts'

interface StoredRateLimit extends Omit<RateLimit, 'spend'> {
  /** nano-USD as text: JSON has no integers of 64 bits. */
  readonly spend: readonly { readonly window: SpendWindow; readonly usdNano: string }[]
}

export function rateLimitJson(limit: RateLimit | null): string | null {
  if (limit === null) return null
  const spend = limit.spend.map(({ window, usd }) => ({ window, usdNano: String(usd) }))
  return JSON.stringify({ ...limit, spend } satisfies StoredRateLimit)
}

/** `parsed`: the content of a `rate_limit_json` column. */
export function rateLimitOf(parsed: unknown): RateLimit | null {
  if (parsed === null) return null
  const { spend, ...limits } = parsed as StoredRateLimit
  return { ...limits, spend: spend.map(({ window, usdNano }) => ({ window, usd: nanoUsd(BigInt(usdNano)) })) }
}
