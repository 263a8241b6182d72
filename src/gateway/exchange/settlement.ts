import { Fault } from '../../core/faults.ts'
import { type NanoUsd, ZERO_NANO_USD, type PartsPerMillion } from '../../core/money.ts'
import { plainFault, plainMessage } from '../../core/plain-fault.ts'
import { totalInput, totalOutput, NO_TOKENS } from '../../core/tokens.ts'
import { familyOf, type Wire } from '../../core/wire.ts'
import type { Settlement } from '../../metering/settle/settlement.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import { faultStatus } from '../../protocols/fault-body.ts'
import type { StoredAnswer } from '../../protocols/protocol.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { isImplausible } from '../implausible-usage.ts'
import { requestEnded } from '../request-ended.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import { type Ending, recordOf, withoutCost } from '../request/record.ts'
import type { CancelledAttempt, ExchangeState } from './state.ts'
import { costBeyond, type UsedEnding, withCost } from './request-cost.ts'

/** Called when the books are written; or with the fault when they cannot be for now. */
export type Settled = (failure: Fault | null, ending: Ending) => void

/** What the settlement needs of the attempts. */
interface AttemptSummary {
  /** The last attempt; null: none was made. */
  readonly current: { readonly candidate: Pick<Candidate, 'used'> } | null
  readonly adapter: Pick<ResponseAdapter, 'askedTerms'> | null
  /** Cancels the hedge that still runs. */
  conclude(): void
}

/** The summary of a request that no target was asked for. */
export const NO_ATTEMPT: AttemptSummary = { current: null, adapter: null, conclude: () => {} }

/** The end of one exchange in the books. Closes its reservation, once. */
export class ExchangeSettlement {
  readonly #state: ExchangeState
  readonly #attempts: AttemptSummary
  #storedResponse: Settlement['storedResponse']
  #overrun: NanoUsd = ZERO_NANO_USD

  constructor(state: ExchangeState, attempts: AttemptSummary) {
    this.#state = state
    this.#attempts = attempts
  }

  /** The upstream keeps the answer under these ids, which its caller has got as well. */
  storedAt(upstreamId: string | undefined, answer: StoredAnswer | null | undefined): void {
    if (upstreamId !== undefined && answer) this.#storedResponse = { ...answer, upstreamId }
  }

  settle(end: UsedEnding, used: UsedSoFar, then: Settled): void {
    const { request, parts, trace } = this.#state
    this.#attempts.conclude()
    const ending = withCost(end, used, {
      request,
      counter: parts.tokenCounter,
      heldInputTokens: parts.heldInputTokens,
      providerCost: trace.target?.cost,
      askedTerms: this.#attempts.adapter?.askedTerms,
    })
    if (ending instanceof Promise)
      ending.then(
        (counted) => this.#learn(counted, used, then),
        (error: unknown) => {
          const fault = plainFault('internal', { cause: error })
          parts.log.failure(fault.code, { requestId: trace.id, error })
          this.withoutCharge('failed', { fault, hasBegun: this.#state.answer.hasBegun })
          then(fault, withoutCost('failed', fault, null))
        },
      )
    else this.#learn(ending, used, then)
  }

  /** Closes a request without a charge: it was never sent, failed, or was given up before anything came of it. No request waits for the record. */
  withoutCharge(outcome: 'failed' | 'aborted', end: { fault: Fault | null; hasBegun: boolean }): void {
    const { request, parts, trace } = this.#state
    if (request.reservation === null) return
    this.#attempts.conclude()
    this.#recordCancelledHedge(null)
    request.reservation.release('upstream_refused')
    const ending = withoutCost(outcome, end.fault, statusOf(end, trace.wire))
    const endedAt = parts.clock.elapsed()
    requestEnded(parts, trace, { ending, endedAt })
    const record = recordOf(trace, request.caller, { ending, endedAt })
    parts.settleQueue.push({ record, charges: [] })
  }

  /** What the answer says of its upstream and its model is remembered, before it is booked. */
  #learn(ending: Ending, used: UsedSoFar, then: Settled): void {
    const { request, parts } = this.#state
    if (request.reservation !== null) {
      this.#recordCancelledHedge(ending)
      this.#noteImplausibleUsage(ending)
      const { tokens, usageSource } = ending
      if (usageSource === 'reported') parts.hiddenOutput.note(request.chosen.model.name, tokens.reasoning)
      this.#noteLimit(ending, used)
    }
    this.book(ending, then)
  }

  /** Closes the reservation with what the request cost, and writes its record. */
  book(ending: Ending, then: Settled): void {
    const { request, parts, trace } = this.#state
    const reservation = request.reservation
    if (reservation === null) return then(null, ending)
    const endedAt = parts.clock.elapsed()
    const { hasBegun } = this.#state.answer
    const tokens = (totalInput(ending.tokens) ?? 0) + (totalOutput(ending.tokens) ?? 0)
    this.#attempts.current?.candidate.used(tokens, ending.providerCost ?? ending.cost)
    const chargedAtMs = trace.createdAt + Math.round(endedAt - trace.startedAt)
    const closing = reservation.settle(ending.cost, { chargedAtMs, tokens })
    const record = recordOf(trace, request.caller, { ending, endedAt, closing })
    let isWithheld = false
    parts.settleQueue.push(
      { record, charges: closing.charges, storedResponse: this.#storedResponse },
      {
        durable: () => {
          reservation.settled()
          if (isWithheld) return
          parts.figures.used(ending)
          this.#countRoute(ending)
          if (this.#overrun > 0n) parts.figures.overran(this.#overrun)
        },
        callback: (error) => {
          const fault = error === null ? null : notBooked(error)
          isWithheld = fault !== null && ending.outcome === 'completed'
          try {
            then(fault, ending)
          } finally {
            requestEnded(parts, trace, { ending: fault === null ? ending : NOT_BOOKED, endedAt: parts.clock.elapsed() })
          }
        },
        // A client that hung up has what came, and is not waiting; all others are refused what came, and will ask again.
        instead: ending.outcome === 'completed' ? () => this.#withheld(endedAt, hasBegun) : null,
      },
    )
  }

  #recordCancelledHedge(ending: Ending | null): void {
    const { cancelled } = this.#state
    this.#state.cancelled = null
    if (cancelled !== null) recordCancelledHedge(this.#state, cancelled, ending)
  }

  #countRoute({ tokens }: Ending): void {
    const { request, parts, trace } = this.#state
    const upstream = trace.attempts.at(-1)?.upstreamName
    if (upstream === undefined) return
    parts.figures.readBy({ model: request.chosen.model.name, upstream, affinity: request.affinity }, tokens)
  }

  #noteImplausibleUsage({ usageNotes: notes }: Ending): void {
    const { parts, trace } = this.#state
    const upstreamName = trace.attempts.at(-1)?.upstreamName
    if (notes.length === 0 || upstreamName === undefined) return
    parts.implausibleUsage.note({ requestId: trace.id, upstreamName, notes })
    if (isImplausible(notes)) parts.figures.implausible(upstreamName)
  }

  /** A target that writes on beyond its limit is remembered: what it costs cannot be kept to what is held. */
  #noteLimit(ending: Ending, { isCut }: UsedSoFar): void {
    const { request, parts, trace } = this.#state
    const { head, hold, chosen } = request
    const limit = hold.limit ?? head.outputTokensLimit
    const output = totalOutput(ending.tokens)
    if (limit === null || limit === 0 || output === null) return
    const most = limit * head.choices
    const ofModel = (chosen.model.maxOutputTokens ?? Infinity) * head.choices
    if (trace.target !== null) parts.ignoredLimits.note(trace.target, { output, limit: most, ofModel, isCut })
    if (output > most) this.#overrun = costBeyond(most, ending, chosen.group.multiplier)
  }

  /** The record of an answer that its caller does not get. */
  #withheld(endedAt: number, hasBegun: boolean): Settlement {
    const { request, trace } = this.#state
    const fault = notBooked(null)
    const status = statusOf({ fault, hasBegun }, trace.wire)
    const ending = withoutCost('failed', fault, status)
    return { record: recordOf(trace, request.caller, { ending, endedAt }), charges: [] }
  }
}

/** How an answer that is withheld ends. */
const NOT_BOOKED = { outcome: 'failed', fault: 'store_unavailable' } as const

/** What the client saw: 200 when the answer had begun, the fault's status when that was all, nothing when it had left. */
function statusOf(end: { fault: Fault | null; hasBegun: boolean }, wire: Wire): number | null {
  if (end.hasBegun) return 200
  return end.fault === null ? null : faultStatus(familyOf(wire), end.fault)
}

/**
 * A record without a charge takes the place of the one that was not written. Only where the database had written that one,
 * and died or lost its connection before it could say so, that one stays.
 */
function notBooked(cause: Error | null): Fault {
  return new Fault(
    'store_unavailable',
    `The model answered, but its usage could not be recorded, so the response is withheld. You are not charged, unless the database recorded it without confirming; the receipt tells. ${plainMessage('store_unavailable')}`,
    { retryAfterSeconds: 5, cause },
  )
}

/** Who stands in the record of what no account pays. Neither is stored. */
const BOOKED_TO = { key: { id: 'key_hedge', name: 'hedge' }, account: { id: 'acc_hedge' } } as const
const NOT_SOLD = 0n as PartsPerMillion

/**
 * Books what an attempt may have cost whose answer was not wanted any more: its input, where a connection had taken it, in a
 * record of its own that no account pays. It counts towards the caps of its target. `ending`: of the request, which says how
 * long the input was; null: that is not known, and the estimate by which money was held is taken.
 */
function recordCancelledHedge(state: ExchangeState, cancelled: CancelledAttempt, ending: Ending | null): void {
  const { parts, request } = state
  const counted = withCost({ outcome: 'aborted', fault: null, httpStatus: null }, usedBy(state, ending), {
    request,
    counter: parts.tokenCounter,
    heldInputTokens: parts.heldInputTokens,
    providerCost: cancelled.attempt.candidate.target.cost,
  })
  if (!(counted instanceof Promise)) return book(state, cancelled, counted)
  counted.then(
    (known) => book(state, cancelled, known),
    (error: unknown) => parts.log.failure('internal', { requestId: state.trace.id, error }),
  )
}

/** What is billed of a request that is cancelled before its answer: what was to be read. */
function usedBy({ request: { head } }: ExchangeState, ending: Ending | null): UsedSoFar {
  const seen = ending === null ? null : totalInput(ending.tokens)
  return {
    reported: { ...NO_TOKENS, input: seen || head.estimatedInputTokens, output: head.hasNoOutput ? null : 0 },
    isFinal: true,
    hasCalledTools: false,
    producedText: () => '',
  }
}

function book({ trace, request, parts }: ExchangeState, cancelled: CancelledAttempt, counted: Ending): void {
  const { candidate, beganAt, credentialName } = cancelled.attempt
  candidate.used(totalInput(counted.tokens) ?? 0, counted.providerCost ?? counted.cost)
  const ending: Ending = {
    ...counted,
    usageSource: 'estimated',
    isCapped: false,
    usageNotes: ['hedged_away'],
    cost: ZERO_NANO_USD,
  }
  const { chosen } = request
  const createdAt = trace.createdAt + Math.round(beganAt - trace.startedAt)
  const noted = {
    ...trace,
    id: parts.newRequestId(createdAt),
    createdAt,
    startedAt: beganAt,
    client: `tollgate-hedge (${trace.id})`,
    chosen: { ...chosen, group: { ...chosen.group, multiplier: NOT_SOLD } },
    attempts: [{ ...cancelled.noted, atMs: 0 }],
    credentialName,
    routing: null,
    firstByteAt: null,
    limits: null,
  }
  const record = recordOf(noted, BOOKED_TO, { ending, endedAt: cancelled.endedAt })
  parts.settleQueue.push(
    { record, charges: [] },
    { durable: () => parts.figures.used(ending), callback: null, instead: null },
  )
}
