/**
 * Code and words that are fetched when they are wanted. What could not be fetched stays so until `forgetFailures`: a
 * component that suspends on it would otherwise ask again with each drawing, without an end.
 */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
}

export interface LoadedOnce<Loaded> {
  /** Starts the load, or returns the one that was started. Its promise rejects with `NotLoaded`. */
  (): Promise<Loaded>
  /** What was loaded; undefined while it is not here. */
  now(): Loaded | undefined
}

const failed = new Set<() => void>()

/** Loads what is wanted once. */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): LoadedOnce<Loaded> {
  let loading: Promise<Loaded> | undefined
  let loaded: Loaded | undefined
  const start = async (): Promise<Loaded> => {
    try {
      return (loaded = await load())
    } catch (cause) {
      failed.add(() => {
        loading = undefined
      })
      throw new NotLoaded('A file of the console could not be fetched.', { cause })
    }
  }
  const begin = (): Promise<Loaded> => {
    const fresh = start()
    // Those that fetch it early do not look at how it went.
    fresh.catch(() => {})
    return fresh
  }
  return Object.assign(() => (loading ??= begin()), { now: () => loaded })
}

/** What could not be fetched is asked for again when it is next wanted. */
export function forgetFailures(): void {
  for (const forget of failed) forget()
  failed.clear()
}
