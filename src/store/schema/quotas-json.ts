import type { SubscriptionQuota } from '../../access/subscription.ts'
import { nanoUsd } from '../../core/money.ts'

/** nano-USD as text: JSON has no integers of 64 bits. */
interface StoredQuota {
  readonly window: SubscriptionQuota['window']
  readonly usdNano: string
}

/** Quotas by window, of a plan or a subscription, as a `quotas_json` column holds them. */
export function quotasJson(quotas: readonly SubscriptionQuota[]): string {
  return JSON.stringify(quotas.map(({ window, usd }): StoredQuota => ({ window, usdNano: String(usd) })))
}

/** `parsed`: the content of a `quotas_json` column. */
export function quotasOf(parsed: unknown): readonly SubscriptionQuota[] {
  return (parsed as readonly StoredQuota[]).map(({ window, usdNano }) => ({ window, usd: nanoUsd(BigInt(usdNano)) }))
}
