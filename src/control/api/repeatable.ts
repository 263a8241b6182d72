import { setTimeout as pause } from 'node:timers/promises'
import type { IdempotencyClaim, IdempotencyName, IdempotencyStore } from '../../access/idempotency.ts'
import type { Clock } from '../../core/clock.ts'
import { IDEMPOTENCY_ANSWER_LIMIT, IDEMPOTENCY_WAIT_MS } from '../../core/limits.ts'
import { Problem } from '../problem.ts'

/** What a request answered: JSON, or no body. */
export interface ApiAnswer {
  readonly status: number
  readonly body: string | null
}

export interface Repeatable {
  readonly store: IdempotencyStore
  readonly clock: Clock
  readonly name: IdempotencyName
  /** A keyed hash of path and body. */
  readonly request: string
  /** Does it. `stored` is the answer without what is said only once. */
  run(): Promise<{ readonly answered: ApiAnswer; readonly stored: ApiAnswer }>
}

/**
 * Runs a request that named itself once, however often it is sent: a repetition gets the same answer, without its secrets.
 * `isReplay` says which it was. Throws Problem.
 */
export async function runOnce(repeatable: Repeatable): Promise<{ answered: ApiAnswer; isReplay: boolean }> {
  const claim = await claimOrWait(repeatable)
  if (claim.kind === 'answered') return { answered: claim, isReplay: true }
  if (claim.kind !== 'claimed') throw problemOf(claim)
  const { store, name } = repeatable
  let done: Awaited<ReturnType<Repeatable['run']>>
  try {
    done = await repeatable.run()
  } catch (error) {
    // A refusal changed nothing. Anything else may have come half of the way, and must not be done again unasked.
    if (error instanceof Problem && error.status < 500) await store.release(name)
    else await store.leaveUnclear(name)
    throw error
  }
  const { body } = done.stored
  const isKept = body === null || body.length <= IDEMPOTENCY_ANSWER_LIMIT
  await (isKept ? store.finish(name, done.stored) : store.leaveUnclear(name))
  return { answered: done.answered, isReplay: false }
}

/** The name from the header, or null. Throws Problem for what cannot be one. */
export function readIdempotencyKey(header: string | null): string | null {
  if (header === null) return null
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw new Problem('field_invalid', 'The header Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    field: 'Idempotency-Key',
  })
}

const BETWEEN_LOOKS_MS = 50

async function claimOrWait(repeatable: Repeatable): Promise<IdempotencyClaim> {
  const { store, clock, name, request } = repeatable
  const startedAt = clock.elapsed()
  for (;;) {
    const claim = await store.claim({ ...name, request, nowMs: clock.now() })
    if (claim.kind !== 'running' || clock.elapsed() - startedAt >= IDEMPOTENCY_WAIT_MS) return claim
    await pause(BETWEEN_LOOKS_MS)
  }
}

function problemOf(claim: Exclude<IdempotencyClaim, { kind: 'claimed' | 'answered' }>): Problem {
  switch (claim.kind) {
    case 'other_request':
      return new Problem(
        'idempotency_conflict',
        'This Idempotency-Key was used for a request with another path or body. Use a new key for a new request.',
        { field: 'Idempotency-Key' },
      )
    case 'running':
      return new Problem('idempotency_running', 'The first request with this Idempotency-Key is still running.', {
        retryAfterSeconds: 1,
      })
    case 'unclear':
      return new Problem(
        'idempotency_unclear',
        'The first request with this Idempotency-Key was cut off, and may have taken effect. Check whether it did; if not, send it with a new key.',
      )
    case 'too_many':
      return new Problem(
        'too_many_requests',
        'Too many requests with an Idempotency-Key were sent within a day. Send this one without it, or wait.',
        { retryAfterSeconds: 60 },
      )
  }
}
