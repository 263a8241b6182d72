import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import { SPAN_WINDOW_MS, type SpanSums } from '../../metering/usage/span-sums.ts'
import { startLooks } from './start-looks.ts'

const LOOK_EVERY_MS = 600_000
const FIRST_LOOK_MS = 60_000
/** How much of the time is left to settlements, as a multiple. */
const PAUSE_SHARE = 4

/**
 * Makes the sums of closed hours and days that charts of all accounts read: at first of all there is, from the newest on, and
 * then every ten minutes of what closed since, and of one older window, into which something may have settled late.
 */
export function startSpanSums(options: {
  readonly store: { readonly usage: { readonly spans: SpanSums } }
  readonly clock: Clock
  readonly log: Logger
  readonly firstAfterMs?: number
}): { stop(): Promise<void> } {
  const { store, clock, log, firstAfterMs = FIRST_LOOK_MS } = options
  const { spans } = store.usage
  const end = new AbortController()
  let older: number | null = null

  const fill = async (atMs: number) => {
    const made = await spans.fillWindow(atMs, {
      nowMs: clock.now(),
      signal: end.signal,
      elapsed: () => clock.elapsed(),
      pause: (ms) => pause(ms * PAUSE_SHARE, undefined, { signal: end.signal, ref: false }).catch(() => {}),
    })
    if (made > 0) log.debug({ made, window: new Date(atMs).toISOString() }, 'summed closed hours and days')
  }
  const lookAt = async () => {
    const nowMs = clock.now()
    const oldest = await spans.oldestWindow()
    if (oldest === null) return
    await fill(nowMs)
    if (older === null) {
      for (let at = nowMs - SPAN_WINDOW_MS; at >= oldest && !end.signal.aborted; at -= SPAN_WINDOW_MS) await fill(at)
      older = nowMs
      return
    }
    older = older - SPAN_WINDOW_MS >= oldest ? older - SPAN_WINDOW_MS : nowMs - SPAN_WINDOW_MS
    if (older >= oldest) await fill(older)
  }
  const look = () =>
    lookAt().catch((error: unknown) => {
      if (end.signal.aborted) return
      log.warn({ err: error }, 'failed to sum closed hours; charts read those of hours')
    })
  const looks = startLooks({ firstAfterMs, everyMs: LOOK_EVERY_MS, look })
  return {
    stop() {
      end.abort()
      return looks.stop()
    },
  }
}
