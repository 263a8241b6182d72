/**
 * A declarative file. What the console and the API export, 1,000 accounts and 5,000 keys, has some 5 MB where names and lists
 * are long, and must be taken on every way in.
 */
export const DECLARATIVE_FILE_LIMIT_BYTES = 16 * 1024 * 1024
/** The most values of a file: a key has some thirty. Aliases can make a small text into a huge one. */
export const DECLARATIVE_VALUES_LIMIT = 500_000

/** An export by the API asks a few things of each account and key beside running requests; larger ones are for the command. */
export const EXPORTED_ACCOUNTS_LIMIT = 1_000
export const EXPORTED_KEYS_LIMIT = 5_000
