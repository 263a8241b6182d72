/** A line that every reader of server-sent events skips, where a wire has no event of its own that may come now. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'

/**
 * A thought of which nothing is shown. Not a comment, behind which the SDKs up to 1.30 wait for ever; and not a chunk without
 * candidates or parts, for which the chats of Google's SDKs drop the whole answer from their history.
 */
export const GEMINI_KEEP_ALIVE =
  'data: {"candidates":[{"content":{"parts":[{"text":"","thought":true}],"role":"model"},"index":0}]}\n\n'
