import { Fault } from '../../core/faults.ts'
import { TARGET_PATIENCE_MS } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { fundingOf } from '../../entitlement/funding.ts'
import type { FundingSource } from '../../metering/admission/admission-request.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import type { LimitedTarget } from '../../routing/kept-limits.ts'
import { affinityOf } from '../choice/affinity.ts'
import { fallbackGroups, isFreeForGood, mayHaveIdsOf } from '../choice/choose-model.ts'
import type { GatewayParts } from '../parts.ts'
import type { ChosenModel, GroupRoute, PreparedRequest } from '../request/prepared.ts'
import type { ExchangeState } from './state.ts'
import { costOfTokens, mostAllowed, costWithoutLimit } from './hold.ts'

/** Finds the groups of its key that a request may switch to, when they are needed; null: there are none. */
export function fallbacksOf({ request, parts, trace, headers }: ExchangeState): (() => readonly GroupRoute[]) | null {
  const { caller, chosen, snapshot, isSameWireOnly, body, head, reservation } = request
  if (reservation === null || caller.key.fallbackGroupIds.length === 0) return null
  const { wire } = trace
  return () => {
    const choice = { catalogue: snapshot, wire, nowMs: parts.clock.now(), isSameWireOnly }
    const groups = fallbackGroups(caller, chosen, { ...choice, mayHave: mayHaveIdsOf(request) })
    const { conversation } = head
    const about = { accountId: caller.account.id, wire, headers, body, conversation, snapshot }
    return groups.map((each) => ({ chosen: each, affinity: affinityOf(each, about) }))
  }
}

/**
 * Reserves what a request may cost in another group of its key, by those who pay there. Resolves to what it is reserved by
 * then, or to null: there is not as much, the database does not say so, or the request has ended.
 */
export async function reserveInGroup(state: ExchangeState, chosen: ChosenModel): Promise<Reservation | null> {
  try {
    return await reserveThere(state, chosen)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

async function reserveThere({ request, parts }: ExchangeState, chosen: ChosenModel): Promise<Reservation | null> {
  const { reservation, caller } = request
  if (reservation === null || isFreeForGood(chosen)) return reservation
  const cost = costIn({ ...request, chosen })
  const { request: admitted } = reservation
  const funding = fundingOf(caller, chosen.group.id, parts.clock.now())
  if (arePaidAlike(admitted.sources, funding.sources)) return raised(reservation, cost, parts)
  // Others pay there. One that is alone here is not there, so that all of it has to be held.
  const canReserveLess = cost.most > cost.bounded && !parts.admission.isExclusive(reservation)
  const { key, tokens } = admitted
  const less = canReserveLess ? { less: () => ({ least: cost.bounded, comfortable: null }) } : {}
  // It is counted already.
  const there = { key: { id: key.id, rateLimit: null }, tokens, amount: cost.most, ...less, ...funding }
  // What is held, by itself among others, is not waited for.
  return parts.admission.admit(there, 0)
}

interface CostThere {
  readonly most: NanoUsd
  /** The cost at an upstream that keeps to the limit that it is sent. What is beyond has to be reserved, or the request runs exclusively. */
  readonly bounded: NanoUsd
}

function costIn(request: PreparedRequest): CostThere {
  const { hold, head } = request
  const costOf = (output: number) => {
    const cost = costOfTokens(request, { input: hold.input, output })
    return cost > 0n ? cost : nanoUsd(1n)
  }
  const most = costOf(hold.tokens)
  // A stream can be ended for want of money, by what is held for it.
  const isLoose = !head.stream && !hold.trustsLimit
  return { most, bounded: isLoose ? costOf(Math.min(hold.tokens, mostAllowed(request))) : most }
}

async function raised(
  reservation: Reservation,
  { most, bounded }: CostThere,
  { admission }: Pick<GatewayParts, 'admission'>,
): Promise<Reservation | null> {
  const more = bounded - reservation.amount
  const answer = more > 0n ? admission.extend(reservation, nanoUsd(more)) : null
  if (answer !== null && (await answer).fault !== null) return null
  const rest = most - reservation.amount
  if (rest > 0n && !admission.isExclusive(reservation)) {
    if (!(await admission.extendOrRunExclusively(reservation, nanoUsd(rest), TARGET_PATIENCE_MS))) return null
  }
  return reservation.isOpen ? reservation : null
}

/** Switches the request to a group: what it costs is charged there from now on, by what is reserved for it there. */
export function switchGroup(state: ExchangeState, route: GroupRoute, reserved: Reservation): void {
  const { reservation } = state.request
  if (reservation !== null && reserved !== reservation) reserved.takePlaceOf(reservation)
  state.chargeIn(route, reserved)
}

function arePaidAlike(some: readonly FundingSource[], others: readonly FundingSource[]): boolean {
  const ids = (sources: readonly FundingSource[]) =>
    sources.map(({ subscriptionId, budgets }) => [subscriptionId, ...budgets.map(({ id }) => id)].join(' ')).join('\n')
  return ids(some) === ids(others)
}

/**
 * Whether the reservation has to grow before a target is asked that was never seen to keep to an output limit, where the
 * request is held by one. Those first in line are reserved for before a request begins (`IgnoredLimits.mayPass`); the others
 * are seldom asked, so that it is seen to when they are. A stream can be ended for want of money and needs none.
 */
export function needsLargerReservation(state: ExchangeState, target: LimitedTarget): boolean {
  const { request, parts } = state
  const { head, hold, reservation } = request
  if (head.stream || !hold.trustsLimit || reservation === null) return false
  if (!parts.ignoredLimits.mayBePassedBy(target)) return false
  return !parts.admission.isExclusive(reservation) && shortfall(state) > 0n
}

/** Reserves the shortfall, or has the request run exclusively. False: neither can be for now, and the target may not be asked. */
export async function raiseReservation(state: ExchangeState): Promise<boolean> {
  const { request, parts } = state
  const { reservation } = request
  if (reservation === null) return true
  return parts.admission.extendOrRunExclusively(reservation, nanoUsd(shortfall(state)), TARGET_PATIENCE_MS)
}

function shortfall({ request, parts }: ExchangeState): bigint {
  return costWithoutLimit(request, parts) - (request.reservation?.amount ?? 0n)
}
