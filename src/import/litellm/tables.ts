/** The tables of LiteLLM’s database that are read, in the lower case in which sources name them. */
export const KEYS = 'litellm_verificationtoken'
export const USERS = 'litellm_usertable'
export const TEAMS = 'litellm_teamtable'
export const BUDGETS = 'litellm_budgettable'
