import { isRefusal } from './api-problem.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** The idempotency key of what is wanted, which stays the same from one press to the next until it was done or refused. */
export interface WishKey {
  /** What the next try is sent with. */
  current(): string
  /** The moment of its first try, epoch milliseconds. A time that a body counts from it is the same in each try. */
  sinceMs(): number
  done(): void
  /** Takes why a try failed. A lost answer is of the same wish, so that pressing again does nothing twice. */
  failed(error: unknown): void
}

export function createWishKey(newKey: () => string = newIdempotencyKey, nowMs: () => number = Date.now): WishKey {
  let wish: { readonly key: string; readonly sinceMs: number } | undefined
  const held = () => (wish ??= { key: newKey(), sinceMs: nowMs() })
  return {
    current: () => held().key,
    sinceMs: () => held().sinceMs,
    done: () => {
      wish = undefined
    },
    failed: (error) => {
      if (isRefusal(error)) wish = undefined
    },
  }
}
