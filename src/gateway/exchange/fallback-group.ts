import { Fault } from '../../core/faults.ts'
import { TARGET_PATIENCE_MS } from '../../core/limits.ts'
import { type NanoUsd, nanoUsd } from '../../core/money.ts'
import { fundingOf } from '../../entitlement/funding.ts'
import type { FundingSource } from '../../metering/admission/admission-request.ts'
import type { Reservation } from '../../metering/admission/reservation.ts'
import { affinityOf } from '../choice/affinity.ts'
import { fallbackGroups, mayHaveIdsOf } from '../choice/fallback-groups.ts'
import type { GatewayParts } from '../parts.ts'
import type { ExchangeContext } from './context.ts'
import { costOfTokens, mostAllowed } from './hold.ts'
import type { GroupRoute } from './untried-targets.ts'
import type { PreparedRequest, ChosenModel } from '../request/prepared.ts'
import { isFreeForGood } from '../choice/choose-model.ts'

/** Finds the groups of its key that a request may switch to, when they are needed; null: there are none. */
export function fallbacksOf({
  prepared,
  parts,
  trace,
  headers,
}: ExchangeContext): (() => readonly GroupRoute[]) | null {
  const { caller, chosen, snapshot, isSameWireOnly, body, head, reservation } = prepared
  if (reservation === null || caller.key.fallbackGroupIds.length === 0) return null
  const { wire } = trace
  return () => {
    const of = { chosen, caller, snapshot, wire, isSameWireOnly }
    const groups = fallbackGroups(of, { nowMs: parts.clock.now(), mayHave: mayHaveIdsOf(prepared) })
    const { conversation } = head
    const about = { accountId: caller.account.id, wire, headers, body, conversation, snapshot }
    return groups.map((each) => ({ chosen: each, affinity: affinityOf(each, about) }))
  }
}

/**
 * Reserves what a request may cost in another group of its key, by those who pay there. Resolves to what it is reserved by
 * then, or to null: there is not as much, the database does not say so, or the request has ended.
 */
export async function reserveInGroup(context: ExchangeContext, chosen: ChosenModel): Promise<Reservation | null> {
  try {
    return await reserveThere(context, chosen)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

async function reserveThere({ prepared, parts }: ExchangeContext, chosen: ChosenModel): Promise<Reservation | null> {
  const { reservation, caller } = prepared
  if (reservation === null || isFreeForGood(chosen)) return reservation
  const cost = costIn({ ...prepared, chosen })
  const { request } = reservation
  const funding = fundingOf(caller, chosen.group.id, parts.clock.now())
  if (arePaidAlike(request.sources, funding.sources)) return raised(reservation, cost, parts)
  // Others pay there. One that is alone here is not there, so that all of it has to be held.
  const canReserveLess = cost.most > cost.bounded && !parts.admission.isExclusive(reservation)
  const { key, tokens } = request
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

/** The request goes on in that group: what it costs is charged there from now on, by what it is held by there. */
export function switchGroup(context: ExchangeContext, { chosen, affinity }: GroupRoute, held: Reservation): void {
  const { prepared, trace } = context
  const { reservation } = prepared
  if (reservation !== null && held !== reservation) held.takePlaceOf(reservation)
  context.prepared = { ...prepared, chosen, affinity, reservation: held }
  trace.chosen = chosen
  // Its answer is not what the first group keeps, at the price of that one.
  context.recording = null
}

function arePaidAlike(some: readonly FundingSource[], others: readonly FundingSource[]): boolean {
  const ids = (sources: readonly FundingSource[]) =>
    sources.map(({ subscriptionId, budgets }) => [subscriptionId, ...budgets.map(({ id }) => id)].join(' ')).join('\n')
  return ids(some) === ids(others)
}
