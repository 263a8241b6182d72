/** The time, as an argument. Both readings are in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. May jump: good for what people read, never for measuring. */
  now(): number
  /** Milliseconds that only grow: for time-outs, expiries inside this process, and durations. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}
