/** What the thread says once, when it has loaded its tables. */
export const READY = 'ready'

/** What the counting thread says: that it can count, and then the tokens of what it was asked last. */
export type CountingReply = typeof READY | number

/** What it is asked. A body goes to it as bytes, in parts, and it decodes them by itself. */
export type CountingMessage =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'request'; readonly part: Uint8Array<ArrayBuffer>; readonly isLast: boolean }
