/**
 * Code and words that are fetched when they are wanted. What could not be fetched stays so until `forgetFailures`: a
 * component that suspends on it would otherwise ask again with each drawing, without an end.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
}

const failed = new Set<() => void>()

/** Returns what starts the load or gives the one that was started. Its promise rejects with `NotLoaded`. */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  const start = (): Promise<Loaded> => {
    const fresh = load().catch((cause: unknown) => {
      failed.add(() => {
        loading = undefined
      })
      throw new NotLoaded('A file of the console could not be fetched.', { cause })
    })
    fresh.then(
      // Written on the promise as `use` writes it, which then takes what is here at once: else the first drawing would wait.
      (value) => Object.assign(fresh, { status: 'fulfilled', value }),
      // Those that fetch it early do not look at how it went.
      () => {},
    )
    return fresh
  }
  return () => (loading ??= start())
}

/** Waits for several loads. Their failure is reported to those alone that wait, as that of each load is. */
export function loadedTogether(loads: readonly Promise<unknown>[]): Promise<unknown> {
  const all = Promise.all(loads)
  all.catch(() => {})
  return all
}

/** What could not be fetched is asked for again when it is next wanted. */
export function forgetFailures(): void {
  for (const forget of failed) forget()
  failed.clear()
}
