import type { Account } from '../../access/account.ts'
import type { ApiKey, KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import { writtenFacts } from '../../core/fault-facts.ts'
import type { Fault, FaultCode } from '../../core/faults.ts'
import { ZERO_NANO_USD, type NanoUsd } from '../../core/money.ts'
import { NO_TOKENS, type TokenCounts } from '../../core/tokens.ts'
import type { Wire } from '../../core/wire.ts'
import type { SettledPayment } from '../../metering/admission/reservation.ts'
import { limitsLeft, writtenLimits } from '../../metering/limits/limits-left.ts'
import type { AppliedPrices } from '../../metering/prices/applied-prices.ts'
import type { OpenRequest } from '../../metering/usage/open-request.ts'
import type { UsageOutcome, UsageRecord, UsageSource } from '../../metering/usage/usage-record.ts'
import type { RequestTrace } from './trace.ts'

/** Client names are kept this long at most. */
const CLIENT_CHARACTERS = 120

/** How a request ended. */
export interface Ending {
  readonly outcome: UsageOutcome
  readonly fault: FaultCode | null
  /** Facts of the fault, as the record keeps them; absent: none. */
  readonly faultFacts?: string
  readonly httpStatus: number | null
  readonly tokens: TokenCounts
  readonly usageSource: UsageSource
  readonly isCapped: boolean
  readonly usageNotes: UsageRecord['usageNotes']
  /** What it was charged at; absent: the chosen model's plain prices, as nothing was used. */
  readonly applied?: AppliedPrices
  readonly cost: NanoUsd
  /** The cost at the provider; null: nothing, or not known. */
  readonly providerCost: NanoUsd | null
}

/** An ending that consumed nothing. */
export function withoutCost(
  outcome: 'refused' | 'failed' | 'aborted',
  fault: Fault | null,
  httpStatus: number | null,
): Ending {
  return {
    outcome,
    ...faultOf(fault),
    httpStatus,
    tokens: NO_TOKENS,
    usageSource: 'none',
    isCapped: false,
    usageNotes: [],
    cost: ZERO_NANO_USD,
    providerCost: null,
  }
}

/** What of a fault its record keeps. */
export function faultOf(fault: Fault | null): Pick<Ending, 'fault' | 'faultFacts'> {
  return fault === null ? { fault: null } : { fault: fault.code, faultFacts: writtenFacts(fault) }
}

/**
 * The usage record of a request whose key is known. `endedAt` is a reading of `Clock.elapsed`; no `closing`: not charged.
 * `group`: the key's, for a request that no group was chosen for.
 */
export function recordOf(
  trace: Omit<RequestTrace, 'wire' | 'caller' | 'bodyMs' | 'upstreamMs' | 'observed' | 'capture'> & {
    readonly wire: Wire | null
  },
  caller: Pick<KeyWithOwner, 'deviceSecret'> & {
    readonly key: Pick<ApiKey, 'id' | 'name'>
    readonly account: Pick<Account, 'id'>
  },
  end: { ending: Ending; endedAt: number; closing?: SettledPayment; group?: Pick<Group, 'id' | 'name'> | undefined },
): UsageRecord {
  const { ending, endedAt, closing } = end
  const { chosen } = trace
  const group = chosen?.group ?? end.group
  const last = trace.attempts.at(-1)
  return {
    id: trace.id,
    createdAt: trace.createdAt,
    accountId: caller.account.id,
    keyId: caller.key.id,
    keyName: caller.key.name,
    groupId: group?.id ?? null,
    groupName: group?.name ?? null,
    model: trace.model,
    upstreamName: last?.upstreamName ?? null,
    upstreamModel: last?.model ?? null,
    credentialName: last === undefined ? null : trace.credentialName,
    wire: trace.wire,
    isStream: trace.isStream,
    outcome: ending.outcome,
    fault: ending.fault,
    faultFacts: ending.faultFacts ?? null,
    httpStatus: ending.httpStatus,
    tokens: ending.tokens,
    usageSource: ending.usageSource,
    isCapped: ending.isCapped,
    usageNotes: ending.usageNotes,
    prices: ending.applied?.prices ?? chosen?.prices ?? null,
    terms: ending.applied?.terms ?? null,
    multiplier: chosen?.group.multiplier ?? null,
    cost: ending.cost,
    providerCost: ending.providerCost,
    balancePaid: closing?.balancePaid ?? ZERO_NANO_USD,
    subscriptionsPaid: closing?.subscriptionsPaid ?? [],
    attempts: trace.attempts,
    routeTrace: trace.routing?.written() ?? null,
    limitsLeft: trace.limits === null ? null : writtenLimits(limitsLeft(trace.limits.states, trace.limits.atMs)),
    deviceSecret: caller.deviceSecret ?? null,
    client: trace.client,
    firstByteMs: trace.firstByteAt === null ? null : Math.round(trace.firstByteAt - trace.startedAt),
    totalMs: Math.round(endedAt - trace.startedAt),
  }
}

/** What is noted of a request that is still running. */
export function openRequestOf(trace: RequestTrace, caller: KeyWithOwner): OpenRequest {
  return {
    id: trace.id,
    createdAt: trace.createdAt,
    accountId: caller.account.id,
    keyId: caller.key.id,
    keyName: caller.key.name,
    groupId: trace.chosen?.group.id ?? null,
    groupName: trace.chosen?.group.name ?? null,
    model: trace.model,
    wire: trace.wire,
    isStream: trace.isStream,
    client: trace.client,
  }
}

/** The calling program as its user agent names it: the first product, printable ASCII only. */
export function clientName(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '') return null
  return userAgent.slice(0, CLIENT_CHARACTERS).replace(/[^\x20-\x7e]/g, '?')
}
