import { useSyncExternalStore } from 'react'

interface Beat {
  subscribe(listener: () => void): () => void
  nowMs(): number
}

/** The beat for distances in time, and the one where seconds are counted. */
const BEATS = { halfMinute: beat(30_000), second: beat(1_000) }

/** Epoch milliseconds, renewed twice a minute or each second by one timer for all that need it. */
export function useNow(step: keyof typeof BEATS = 'halfMinute'): number {
  const { subscribe, nowMs } = BEATS[step]
  return useSyncExternalStore(subscribe, nowMs, nowMs)
}

function beat(stepMs: number): Beat {
  let nowMs = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const listeners = new Set<() => void>()
  const step = (): void => {
    nowMs = Date.now()
    for (const listener of listeners) listener()
  }
  return {
    nowMs: () => nowMs,
    subscribe(listener) {
      listeners.add(listener)
      // It was not read for a while.
      if (timer === undefined) nowMs = Date.now()
      timer ??= setInterval(step, stepMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
