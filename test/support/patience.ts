/**
 * How long a test waits for what is about to happen. The wait ends when it has happened; only what never happens meets the
 * limit, so that a busy machine fails no test.
 */
export const PATIENCE_MS = 180_000
