import { type FaultCode, isFaultCode } from '../../core/faults.ts'
import { type Wire, wireFacts } from '../../core/wire.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { createGateway } from '../gateway.ts'
import type { GatewayParts } from '../parts.ts'
import { memoryRequest, MemoryResponse } from './memory-client.ts'

/** A request of this process's own, as a client would send it. */
interface LoopbackRequest {
  readonly wire: Wire
  readonly path: string
  readonly body: object
  /** What stands where a client's secret does. */
  readonly credential: string
  readonly userAgent: string
  /** How long its answer is waited for. */
  readonly withinMs: number
}

/** What came of one. */
export interface LoopbackEnd {
  readonly requestId: string
  readonly response: MemoryResponse
  /** null: it is not written yet. */
  readonly record: UsageRecord | null
  readonly fault: FaultCode | null
  readonly totalMs: number
}

/** Sends a request through a gateway of these parts, on the way of every client. Resolves within its time and a moment. */
export async function sendThrough(parts: GatewayParts, of: LoopbackRequest): Promise<LoopbackEnd> {
  const { clock } = parts
  let requestId = ''
  const listen = createGateway({ ...parts, newRequestId: (nowMs) => (requestId = parts.newRequestId(nowMs)) })
  const response = new MemoryResponse()
  const beganAt = clock.elapsed()
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  const late = setTimeout(() => response.destroy(), of.withinMs)
  const headers = {
    authorization: `Bearer ${of.credential}`,
    'content-type': 'application/json',
    'user-agent': of.userAgent,
    ...wireFacts(of.wire).headers,
  }
  listen(memoryRequest({ path: of.path, headers, body: Buffer.from(JSON.stringify(of.body)) }), response)
  await closed
  clearTimeout(late)
  const totalMs = Math.round(clock.elapsed() - beganAt)
  const record = await recordWritten(requestId, parts)
  const said = response.header('x-tollgate-fault')
  const fault = record?.fault ?? (said !== null && isFaultCode(said) ? said : null)
  return { requestId, response, record, fault, totalMs }
}

/** A record of a request that failed is written behind it. */
const RECORD_WITHIN_MS = 3_000
const LOOK_AGAIN_MS = 50

/** The record of a request that has ended, once it is written; null: it was not, within three seconds. */
async function recordWritten(
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
