import { useSyncExternalStore } from 'react'

const STEP_MS = 30_000

let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Epoch milliseconds, renewed twice a minute by one timer for all that need it. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // It was not read for a while.
  if (timer === undefined) nowMs = Date.now()
  timer ??= setInterval(step, STEP_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function step(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}
