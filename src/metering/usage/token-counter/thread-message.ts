/** What the thread says once, when it has loaded its tables. */
export const READY = 'ready'

/** What the counting thread says: that it can count, and then the tokens of what it was asked last. */
export type ThreadMessage = typeof READY | number
