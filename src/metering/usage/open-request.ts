import type { Wire } from '../../core/wire.ts'
import type { UsageRecord } from './usage-record.ts'
import { ZERO_NANO_USD } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'

/** What is noted of a request that runs for longer than a moment, so that it is in the records even when a crash cuts it. */
export interface OpenRequest {
  readonly id: string
  readonly createdAt: number
  readonly accountId: string
  readonly keyId: string
  readonly keyName: string
  readonly groupId: string | null
  readonly groupName: string | null
  readonly model: string | null
  readonly wire: Wire | null
  readonly isStream: boolean
  readonly client: string | null
}

export interface OpenRequestStore {
  /** Notes the opened and forgets the closed, in one transaction. */
  note(nodeId: string, changes: { opened: readonly OpenRequest[]; closed: readonly string[] }): Promise<void>
  /** Open requests of nodes that are not registered any more. At most 1,000. */
  abandoned(): Promise<readonly OpenRequest[]>
  forget(ids: readonly string[]): Promise<void>
}

/** The record of a request that was cut by a crash. What it consumed is not known, and costs nothing. */
export function interruptedRecord(request: OpenRequest): UsageRecord {
  return {
    id: request.id,
    createdAt: request.createdAt,
    accountId: request.accountId,
    keyId: request.keyId,
    keyName: request.keyName,
    groupId: request.groupId,
    groupName: request.groupName,
    model: request.model,
    upstreamName: null,
    upstreamModel: null,
    credentialName: null,
    wire: request.wire,
    isStream: request.isStream,
    outcome: 'interrupted',
    fault: null,
    httpStatus: null,
    tokens: NO_TOKENS,
    usageSource: 'none',
    isCapped: false,
    usageNotes: [],
    prices: null,
    terms: null,
    multiplier: null,
    cost: ZERO_NANO_USD,
    providerCost: null,
    balancePaid: ZERO_NANO_USD,
    subscriptionsPaid: [],
    attempts: [],
    routeTrace: null,
    faultFacts: null,
    limitsLeft: null,
    deviceSecret: null,
    client: request.client,
    firstByteMs: null,
    totalMs: 0,
  }
}
