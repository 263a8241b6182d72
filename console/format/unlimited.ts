/** As large as a fact or a rule of a model can be is without a limit. */
export const UNLIMITED = 1_000_000_000
