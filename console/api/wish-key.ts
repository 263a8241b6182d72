import { isRefusal } from './api-problem.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** The idempotency key of what is wanted, which stays the same from one press to the next until it was done or refused. */
export interface WishKey {
  /** What the next try is sent with. */
  current(): string
  done(): void
  /** Takes why a try failed. A lost answer is of the same wish, so that pressing again does nothing twice. */
  failed(error: unknown): void
}

export function createWishKey(newKey: () => string = newIdempotencyKey): WishKey {
  let key: string | undefined
  return {
    current: () => (key ??= newKey()),
    done: () => {
      key = undefined
    },
    failed: (error) => {
      if (isRefusal(error)) key = undefined
    },
  }
}
