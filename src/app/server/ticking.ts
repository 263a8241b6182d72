/** How often running requests and arriving bodies are looked at. */
const TICK_MS = 100
/**
 * How often an idle process looks whether it still is, and whether its life as a node has to be renewed: each look wakes a
 * thread. What begins in between is looked at half a second later at most; all that it is looked at for takes seconds.
 */
const IDLE_TICK_MS = 500

/** Calls `look` ten times a second while it returns that something runs, and twice a second while nothing does. */
export function startTicking(look: () => boolean): { stop(): void } {
  let timer: NodeJS.Timeout
  const tick = (): void => {
    // First, so that a look that throws is not the last one.
    timer = setTimeout(tick, TICK_MS)
    if (look()) return
    clearTimeout(timer)
    timer = setTimeout(tick, IDLE_TICK_MS)
  }
  timer = setTimeout(tick, TICK_MS)
  return { stop: () => clearTimeout(timer) }
}
