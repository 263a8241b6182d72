import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { GatewayParts } from '../parts.ts'

/** A record of a request that failed is written behind it. */
const RECORD_WITHIN_MS = 3_000
const LOOK_AGAIN_MS = 50

/** The record of a request that has ended, once it is written; null: it was not, within three seconds. */
export async function recordWritten(
  requestId: string,
  { usage, settleQueue, clock }: Pick<GatewayParts, 'usage' | 'settleQueue' | 'clock'>,
): Promise<UsageRecord | null> {
  const until = clock.elapsed() + RECORD_WITHIN_MS
  for (;;) {
    const record = await usage.record(requestId).catch(() => null)
    if (record !== null || clock.elapsed() >= until) return record
    await Promise.all([settleQueue.drain(LOOK_AGAIN_MS), new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))])
  }
}
