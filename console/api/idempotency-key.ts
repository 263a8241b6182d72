import { isRefusal } from './api-problem.ts'

/** The idempotency key of one change, which stays the same from one press to the next until it was done or refused. */
export interface IdempotencyKey {
  /** What the next try is sent with. */
  current(): string
  /** The moment of its first try, epoch milliseconds. A time that a body counts from it is the same in each try. */
  sinceMs(): number
  done(): void
  /** Takes why a try failed. After a lost answer the key stays, so that pressing again does nothing twice. */
  failed(error: unknown): void
}

export function createIdempotencyKey(
  newKey: () => string = newIdempotencyKey,
  nowMs: () => number = Date.now,
): IdempotencyKey {
  let first: { readonly key: string; readonly sinceMs: number } | undefined
  const held = () => (first ??= { key: newKey(), sinceMs: nowMs() })
  return {
    current: () => held().key,
    sinceMs: () => held().sinceMs,
    done: () => {
      first = undefined
    },
    failed: (error) => {
      if (isRefusal(error)) first = undefined
    },
  }
}

/**
 * A new idempotency key: a name for one change, so that sending it twice does it once. Not `crypto.randomUUID`: browsers have that on https and
 * localhost alone, and this console is also opened on plain http in a local network.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
