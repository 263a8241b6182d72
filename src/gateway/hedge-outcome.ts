/**
 * What came of a second target that was asked, or was to be. `won`: it answered first. `lost`: the first did. `took_over`: the
 * first failed while it was under way. `failed`: it failed, and the first went on. `cancelled`: the request was over before
 * either had answered. `unavailable`: none could be asked.
 */
export const HEDGE_OUTCOMES = ['won', 'lost', 'took_over', 'failed', 'cancelled', 'unavailable'] as const

export type HedgeOutcome = (typeof HEDGE_OUTCOMES)[number]
