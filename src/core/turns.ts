/**
 * Work that pauses: each of its steps takes some milliseconds at most, whatever it works on. All requests of a thread share one
 * event loop, so what takes longer than that is done in steps, with a turn of the loop between them.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does the work at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * Does the work in steps, one of all such work of this thread in each turn of the event loop. Rejects with what the work throws,
 * and with an Error before the next step once `isInVain` says that the result is for no one.
 */
export function inTurns<Result>(steps: Steps<Result>, isInVain: () => boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    const step = (): boolean => {
      try {
        if (isInVain()) throw new Error('the result is for no one')
        const { done, value } = steps.next()
        if (done !== true) return false
        resolve(value)
      } catch (error) {
        reject(error instanceof Error ? error : new Error('the work failed', { cause: error }))
      }
      return true
    }
    waiting.push(step)
    if (waiting.length === 1) setImmediate(takeTurn)
  })
}

/** Steps in the order of their turns; each returns whether its work is over. */
const waiting: (() => boolean)[] = []

/** Node runs all that waits for `setImmediate` in one turn, so only one of them does at a time. */
function takeTurn(): void {
  const step = waiting[0]
  const isOver = step === undefined || step()
  waiting.shift()
  if (!isOver && step !== undefined) waiting.push(step)
  if (waiting.length > 0) setImmediate(takeTurn)
}
