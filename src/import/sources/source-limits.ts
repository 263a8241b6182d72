/** What a server that is read from may take, and what it is taken for when it takes longer. */

export const CONNECT_TIMEOUT_MS = 10_000
/** A portion of a thousand rows takes milliseconds, and the largest table that is read at once some seconds. */
export const QUERY_TIMEOUT_MS = 120_000

/** The failure of a source that answered nothing for all that time. */
export function silentSource(cause: unknown, limitMs = QUERY_TIMEOUT_MS): Error {
  return new Error(`it did not answer within ${limitMs / 1_000} s`, { cause })
}
