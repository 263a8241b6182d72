/** The largest fact or rule that a model can have: it means no limit. */
export const UNLIMITED = 1_000_000_000
