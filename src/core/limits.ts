/** Every bound in one place, each with its reason. Sizes in bytes, times in milliseconds. */

/** Coding agents send up to 870 KB after a long loop; images and PDFs in base64 go far beyond. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024

/** Bodies that are still being received, of all requests together. */
export const BODIES_UNDER_WAY_LIMIT_BYTES = 512 * 1024 * 1024

/** An answer that is not streamed is held until its usage is read and settled. Larger ones are refused as malformed. */
export const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024

/** One event of a stream: image and file parts arrive whole in base64. */
export const STREAM_EVENT_LIMIT_BYTES = 16 * 1024 * 1024

/** An upstream's error answer is read to be understood, so a page of HTML is not read to its end. */
export const ERROR_ANSWER_LIMIT_BYTES = 256 * 1024

/** A client that sends its body slower than this is holding a socket, not asking a question. */
export const REQUEST_TIMEOUT_MS = 120_000

/** Upstream defaults; each upstream may set its own. */
export const CONNECT_TIMEOUT_MS = 10_000
export const FIRST_BYTE_TIMEOUT_MS = 600_000
/** Silence between two bytes of one answer: reasoning models pause for minutes. */
export const IDLE_TIMEOUT_MS = 300_000
export const TOTAL_TIMEOUT_MS = 3_600_000

/** Clients reset their idle timers on these; the shortest of those timers seen is 120 s. */
export const KEEP_ALIVE_MS = 15_000
/** Some clients send the request again when no header came for 120 s. */
export const HEADERS_AT_LATEST_MS = 100_000

/** Each try multiplies with the client's own retries, so there is one more target at most. */
export const ATTEMPTS_LIMIT = 2

/** Output tokens that are held at most before a request is sent; agents ask for 128,000 and write 800. */
export const HELD_OUTPUT_TOKENS_LIMIT = 8192

export const LEASE_LIFE_MS = 30_000
/** A node stops using a lease at this part of its life, so that clocks that drift don't matter. */
export const LEASE_USABLE_PART = 0.8
/** An empty budget must not cause a storm of grants. */
export const REFUSAL_MEMORY_MS = 100

export const SETTLE_BATCH_LIMIT = 500
/** Beyond this many unsettled closings the store is behind, and new requests are refused. */
export const SETTLE_QUEUE_LIMIT = 20_000

/** Keys kept in memory; those read first go first. */
export const KEYS_IN_MEMORY_LIMIT = 100_000
/** Unknown credentials remembered as unknown, so that guessing costs no query each. */
export const UNKNOWN_KEYS_LIMIT = 10_000
export const BAD_CREDENTIALS_PER_MINUTE = 120
