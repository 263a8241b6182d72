import type { NanoUsd } from '../../core/money.ts'

/** What is asked of the sums by upstream. What is absent may be anything. */
export interface MarginsQuery {
  /** Epoch milliseconds; widened to whole hours. */
  readonly fromMs: number
  readonly toMs: number
  readonly split: 'upstream' | 'model' | 'group' | 'fault'
  readonly upstream?: string | undefined
  readonly model?: string | undefined
  readonly groupId?: string | undefined
}

export interface MarginSums {
  readonly requests: number
  readonly failed: number
  readonly charged: NanoUsd
  /** Of requests of which the provider's cost is known. */
  readonly costed: NanoUsd
  readonly providerCost: NanoUsd
}

/** The dearest to the provider first, at most 200. */
export interface Margins {
  readonly fromMs: number
  readonly toMs: number
  readonly total: MarginSums
  readonly rows: readonly (MarginSums & { readonly id: string })[]
}
