import { interruptedRecord } from '../metering/open-request.ts'
import type { Store } from '../store/store.ts'

/**
 * A node of another host may only be cut off from the database: its requests count as interrupted when it must have ended
 * them long ago, for a record that is written once can't be replaced by the true one.
 */
const GIVEN_UP_AFTER_MS = 3_900_000
const ROUNDS_LIMIT = 100

/** Records what dead nodes left unfinished as interrupted, and answers how many requests that were. */
export async function recordInterrupted(
  store: Pick<Store, 'openRequests' | 'settlements'>,
  nowMs: number,
): Promise<number> {
  let recorded = 0
  for (let round = 0; round < ROUNDS_LIMIT; round++) {
    const abandoned = await store.openRequests.abandoned(nowMs - GIVEN_UP_AFTER_MS)
    if (abandoned.length === 0) return recorded
    // One that was settled just before the crash has its record already, and keeps it.
    await store.settlements.settle(abandoned.map((request) => ({ record: interruptedRecord(request), charges: [] })))
    await store.openRequests.forget(abandoned.map(({ id }) => id))
    recorded += abandoned.length
  }
  return recorded
}
