/** One admitted request in the counts of its key. Given back once, at the request's end. */
export interface CountedUse {
  /** Notes that its client is gone: it no longer counts for `concurrency`, though it may run on for its usage. May come more than once. */
  leave(): void
  /** `tokens`: what it really used, in place of what was estimated. */
  end(tokens: number): void
  /**
   * Ends a use that is refused after all, and counts for nothing. At once in this process; what it returns
   * resolves when other nodes count it no more either, or when they cannot be asked. null: nothing is to be waited for.
   */
  undo(): Promise<unknown> | null
}

/** Several as one. */
export function together(uses: readonly CountedUse[]): CountedUse {
  return {
    leave: () => {
      for (const each of uses) each.leave()
    },
    end: (tokens) => {
      for (const each of uses) each.end(tokens)
    },
    undo: () => {
      const undone = uses.map((each) => each.undo()).filter((each) => each !== null)
      return undone.length === 0 ? null : Promise.all(undone)
    },
  }
}
