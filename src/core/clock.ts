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

/** What `performance.now` began from, by the clock that all threads of the process share. */
const THREAD_BEGAN_AT = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** A clock whose `elapsed` is one for all threads of a process; each thread's own counts from its own beginning. */
export const processClock: Clock = {
  now: systemClock.now,
  elapsed: () => THREAD_BEGAN_AT + performance.now(),
}
