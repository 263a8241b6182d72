import type { Target } from './catalog.ts'
import type { SpendCap } from './spend-cap.ts'

/** The caps of one upstream, besides those of its credentials. */
export interface SpendCaps {
  /** The cap on all that is spent there; null: none. */
  readonly ofUpstream: SpendCap | null
  /** The caps on what is spent by one target there; targets without a cap are left out. */
  readonly ofTargets: ReadonlyMap<Target, SpendCap>
}

/** The caps that a request to the target has to keep to; null: none. */
export function capsOn(target: Target, caps: SpendCaps | undefined): readonly SpendCap[] | null {
  const both = [caps?.ofUpstream, caps?.ofTargets.get(target)].filter((cap) => cap != null)
  return both.length === 0 ? null : both
}
