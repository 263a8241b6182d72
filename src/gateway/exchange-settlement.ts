import { Fault } from '../core/faults.ts'
import type { NanoUsd } from '../core/money.ts'
import type { ExchangeContext } from './exchange-context.ts'
import { type UsedEnding, type UsedSoFar, withCost } from './final-usage.ts'
import { type Ending, recordOf, withoutCost } from './request-trace.ts'

/** Called when the books are written, with the cost; or with the fault when they can't be for now. */
export type Settled = (failure: Fault | null, cost: NanoUsd) => void

/** The end of one exchange in the books. Closes its reservation, once. */
export class ExchangeSettlement {
  readonly #context: ExchangeContext

  constructor(context: ExchangeContext) {
    this.#context = context
  }

  /** False for requests that cost nothing, whatever comes of them. They leave no record. */
  get isMetered(): boolean {
    return this.#context.prepared.reservation !== null
  }

  settle(end: UsedEnding, used: UsedSoFar, then: Settled): void {
    const { prepared, parts } = this.#context
    const ending = withCost(end, used, { request: prepared, counter: parts.tokenCounter })
    if (ending instanceof Promise) void ending.then((counted) => this.#book(counted, then))
    else this.#book(ending, then)
  }

  /** It was never sent, failed, or was given up before anything came of it. Nobody waits for the record. */
  withoutCharge(outcome: 'failed' | 'aborted', fault: Fault | null): void {
    const { prepared, parts, trace } = this.#context
    if (prepared.reservation === null) return
    prepared.reservation.release()
    const ending = withoutCost(outcome, fault?.code ?? null, fault?.policy.status ?? null)
    const record = recordOf(trace, prepared.caller, { ending, endedAt: parts.clock.elapsed() })
    parts.settleQueue.push({ record, charges: [] }, { callback: null, durable: null })
  }

  #book(ending: Ending, then: Settled): void {
    const { prepared, parts, trace } = this.#context
    const reservation = prepared.reservation
    if (reservation === null) return then(null, ending.cost)
    const record = recordOf(trace, prepared.caller, { ending, endedAt: parts.clock.elapsed() })
    parts.settleQueue.push(
      { record, charges: reservation.settle(ending.cost) },
      {
        durable: () => reservation.settled(),
        callback: (error) => then(error === null ? null : notBooked(error), ending.cost),
      },
    )
  }
}

function notBooked(cause: Error): Fault {
  return new Fault(
    'store_unavailable',
    'The answer is there, but the gateway cannot write it into its books right now, so it is held back. Try again in a moment.',
    { retryAfterSeconds: 5, cause },
  )
}
