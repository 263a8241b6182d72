/** A line that every reader of server-sent events skips, where a wire has no event of its own that may come now. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'
