/** What is said of a low balance that is a user’s own. */
export const ONE_THRESHOLD = ': a low balance is the same for all here, TOLLGATE_LOW_BALANCE_USD'
