import { Fault } from '../../core/faults.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { plainFault, plainMessage } from '../../core/plain-fault.ts'
import { totalInput, totalOutput } from '../../core/tokens.ts'
import { familyOf, type Wire } from '../../core/wire.ts'
import { faultStatus } from '../../protocols/fault-body.ts'
import type { StoredAnswer } from '../../protocols/protocol.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Settlement } from '../../metering/settle/settlement.ts'
import type { Attempt } from './attempt.ts'
import { recordCancelledHedge } from './cancelled-hedge.ts'
import type { ExchangeContext } from './context.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import { costBeyond, type UsedEnding, withCost } from './request-cost.ts'
import { isImplausible } from '../implausible-usage.ts'
import { requestEnded } from '../request-ended.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import { type Ending, recordOf, withoutCost } from '../request/record.ts'

/** Called when the books are written; or with the fault when they cannot be for now. */
export type Settled = (failure: Fault | null, ending: Ending) => void

/** What the settlement needs of the attempts. */
interface AttemptSummary {
  /** The last target tried. */
  readonly sentTo: Pick<Candidate, 'used'> | null
  readonly adapter: Pick<ResponseAdapter, 'askedTerms'> | null
  /** Cancels the hedge that still runs. */
  conclude(): void
  /** The hedge that was cancelled, given once; null: none was. */
  takeCancelled(): Attempt | null
}

/** The summary of a request that no target was asked for. */
export const NO_ATTEMPT: AttemptSummary = { sentTo: null, adapter: null, conclude: () => {}, takeCancelled: () => null }

/** The end of one exchange in the books. Closes its reservation, once. */
export class ExchangeSettlement {
  readonly #context: ExchangeContext
  readonly #attempts: AttemptSummary
  #storedResponse: Settlement['storedResponse']
  #overrun: NanoUsd = ZERO_NANO_USD

  constructor(context: ExchangeContext, attempts: AttemptSummary) {
    this.#context = context
    this.#attempts = attempts
  }

  /** False for requests that cost nothing, whatever comes of them. They leave no record. */
  get isMetered(): boolean {
    return this.#context.prepared.reservation !== null
  }

  /** The upstream keeps the answer under these ids, which its caller has got as well. */
  storedAt(upstreamId: string | undefined, answer: StoredAnswer | null | undefined): void {
    if (upstreamId !== undefined && answer) this.#storedResponse = { ...answer, upstreamId }
  }

  settle(end: UsedEnding, used: UsedSoFar, then: Settled): void {
    const { prepared, parts, trace } = this.#context
    this.#attempts.conclude()
    const ending = withCost(end, used, {
      request: prepared,
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
          this.withoutCharge('failed', { fault, hasBegun: this.#context.answer.hasBegun })
          then(fault, withoutCost('failed', fault, null))
        },
      )
    else this.#learn(ending, used, then)
  }

  /** Closes a request without a charge: it was never sent, failed, or was given up before anything came of it. No request waits for the record. */
  withoutCharge(outcome: 'failed' | 'aborted', end: { fault: Fault | null; hasBegun: boolean }): void {
    const { prepared, parts, trace } = this.#context
    if (prepared.reservation === null) return
    this.#attempts.conclude()
    this.#recordCancelledHedge(null)
    prepared.reservation.release('upstream_refused')
    const ending = withoutCost(outcome, end.fault, statusOf(end, trace.wire))
    const endedAt = parts.clock.elapsed()
    requestEnded(parts, trace, { ending, endedAt })
    const record = recordOf(trace, prepared.caller, { ending, endedAt })
    parts.settleQueue.push({ record, charges: [] })
  }

  /** What the answer says of its upstream and its model is remembered, before it is booked. */
  #learn(ending: Ending, used: UsedSoFar, then: Settled): void {
    const { prepared, parts } = this.#context
    if (prepared.reservation !== null) {
      this.#recordCancelledHedge(ending)
      this.#noteImplausibleUsage(ending)
      const { tokens, usageSource } = ending
      if (usageSource === 'reported') parts.hiddenOutput.note(prepared.chosen.model.name, tokens.reasoning)
      this.#noteLimit(ending, used)
    }
    this.book(ending, then)
  }

  /** Closes the reservation with what the request cost, and writes its record. */
  book(ending: Ending, then: Settled): void {
    const { prepared, parts, trace } = this.#context
    const reservation = prepared.reservation
    if (reservation === null) return then(null, ending)
    const endedAt = parts.clock.elapsed()
    const { hasBegun } = this.#context.answer
    const tokens = (totalInput(ending.tokens) ?? 0) + (totalOutput(ending.tokens) ?? 0)
    this.#attempts.sentTo?.used(tokens, ending.providerCost ?? ending.cost)
    const chargedAtMs = trace.createdAt + Math.round(endedAt - trace.startedAt)
    const closing = reservation.settle(ending.cost, { chargedAtMs, tokens })
    const record = recordOf(trace, prepared.caller, { ending, endedAt, closing })
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
    const attempt = this.#attempts.takeCancelled()
    if (attempt !== null) recordCancelledHedge(this.#context, attempt, ending)
  }

  #countRoute({ tokens }: Ending): void {
    const { prepared, parts, trace } = this.#context
    const upstream = trace.attempts.at(-1)?.upstreamName
    if (upstream === undefined) return
    parts.figures.readBy({ model: prepared.chosen.model.name, upstream, affinity: prepared.affinity }, tokens)
  }

  #noteImplausibleUsage({ usageNotes: notes }: Ending): void {
    const { parts, trace } = this.#context
    const upstreamName = trace.attempts.at(-1)?.upstreamName
    if (notes.length === 0 || upstreamName === undefined) return
    parts.implausibleUsage.note({ requestId: trace.id, upstreamName, notes })
    if (isImplausible(notes)) parts.figures.implausible(upstreamName)
  }

  /** A target that writes on beyond its limit is remembered: what it costs cannot be kept to what is held. */
  #noteLimit(ending: Ending, { isCut }: UsedSoFar): void {
    const { prepared, parts, trace } = this.#context
    const { head, hold, chosen } = prepared
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
    const { prepared, trace } = this.#context
    const fault = notBooked(null)
    const status = statusOf({ fault, hasBegun }, trace.wire)
    const ending = withoutCost('failed', fault, status)
    return { record: recordOf(trace, prepared.caller, { ending, endedAt }), charges: [] }
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
