import type { NanoUsd } from '../../core/money.ts'

/** What is asked of the sums by upstream, or of those by credential. What is absent may be anything. */
export interface MarginsQuery {
  /** Epoch milliseconds; widened to whole hours, where credentials are asked for to whole days of UTC. */
  readonly fromMs: number
  readonly toMs: number
  readonly split: 'upstream' | 'credential' | 'model' | 'group' | 'fault'
  readonly upstream?: string | undefined
  /** Sums by credential are not of single models or groups: see `isOfCredentials`. */
  readonly credential?: string | undefined
  readonly model?: string | undefined
  readonly groupId?: string | undefined
}

/** Whether the sums by credential are asked, which know no models and no groups. */
export function isOfCredentials({ split, credential }: Pick<MarginsQuery, 'split' | 'credential'>): boolean {
  return split === 'credential' || credential !== undefined
}

export interface MarginSums {
  readonly requests: number
  readonly failed: number
  readonly charged: NanoUsd
  /** The charges for requests of which the provider's cost is known. */
  readonly costed: NanoUsd
  readonly providerCost: NanoUsd
}

/** The dearest to the provider first, at most 500. */
export interface Margins {
  readonly fromMs: number
  readonly toMs: number
  readonly total: MarginSums
  /** `upstream`: that a credential is of; null: the row is of no credential. */
  readonly rows: readonly (MarginSums & { readonly id: string; readonly upstream: string | null })[]
}
