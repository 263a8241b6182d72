import type { Fault } from '../../core/faults.ts'
import { type Wire, wireFacts } from '../../core/wire.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Model } from '../../routing/catalog.ts'
import type { HedgeOutcome } from '../request-figures.ts'
import { HedgedAttempt } from './hedged-attempt.ts'
import type { Attempt, Sending } from './attempt.ts'
import type { ExchangeContext } from './context.ts'

/** What a hedge asks of the attempts of its request. */
interface HedgeCallbacks {
  /** The attempt under way has sent something of an answer. */
  readonly hasHeard: () => boolean
  /** What is to be sent as the hedge, and counted as sent; null: nothing may be. */
  readonly spare: () => Sending | null
  /** The hedge has answered before the attempt under way did. Cancels and returns that attempt. */
  readonly replaceCurrent: (answer: HedgedAttempt) => Attempt | null
  /** The hedge is the attempt under way now: what has come of it, and will, goes to the client. */
  readonly onWin: (answer: HedgedAttempt) => void
  readonly failed: (attempt: Attempt, end: { readonly fault: Fault; readonly status: number }) => void
}

/**
 * A second target that is asked where the first lets wait for its answer, for models that want it: once for each request, and
 * the first of the two to say something for the client is the one whose answer it gets. Decision 0055.
 */
export class Hedge {
  readonly #context: ExchangeContext
  readonly #afterMs: number
  readonly #callbacks: HedgeCallbacks
  #timer: NodeJS.Timeout | null = null
  #answer: HedgedAttempt | null = null
  #isSpent = false
  #cancelled: Attempt | null = null

  constructor(context: ExchangeContext, afterMs: number, callbacks: HedgeCallbacks) {
    this.#context = context
    this.#afterMs = afterMs
    this.#callbacks = callbacks
  }

  /** An attempt has begun. */
  began(): void {
    this.stop()
    if (!this.#isSpent) this.#timer = setTimeout(() => this.#ask(), this.#afterMs)
  }

  /** No hedge is sent any more, unless that was done already. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Takes the hedge that is still under way when the other attempt has failed; null: none is. */
  take(): HedgedAttempt | null {
    const answer = this.#answer
    if (answer !== null) this.#over('took_over')
    return answer
  }

  /** The candidate of the hedge under way; null: none is. */
  get candidate(): Candidate | null {
    return this.#answer?.attempt.candidate ?? null
  }

  /** Cancels the hedge, since the first attempt was faster or the request is over. */
  cancel(outcome: 'lost' | 'cancelled', order: { readonly isFirstClosed: boolean }): void {
    this.stop()
    const attempt = this.#answer?.attempt ?? null
    if (attempt === null) return
    this.#over(outcome)
    this.#cancelled = attempt
    attempt.cancel(order)
  }

  /** Takes the attempt that was cancelled; null: there is none, or it was taken before. */
  takeCancelled(): Attempt | null {
    const attempt = this.#cancelled
    this.#cancelled = null
    return attempt
  }

  #ask(): void {
    this.#timer = null
    if (this.#callbacks.hasHeard()) return
    const sending = this.#callbacks.spare()
    if (sending === null) return this.#count('unavailable')
    this.#isSpent = true
    this.#answer = new HedgedAttempt(this.#context, sending, {
      answered: () => this.#answered(),
      failed: (fault, status) => this.#failed({ fault, status }),
    })
  }

  #answered(): void {
    const answer = this.#answer
    if (answer === null) return
    this.#over('won')
    this.#cancelled = this.#callbacks.replaceCurrent(answer)
    this.#callbacks.onWin(answer)
  }

  #failed(end: { readonly fault: Fault; readonly status: number }): void {
    const answer = this.#answer
    if (answer === null) return
    this.#over('failed')
    this.#callbacks.failed(answer.attempt, end)
  }

  #over(outcome: HedgeOutcome): void {
    this.#answer = null
    this.#count(outcome)
  }

  #count(outcome: HedgeOutcome): void {
    const { parts, prepared } = this.#context
    parts.figures.hedged(prepared.chosen.model.name, outcome)
  }
}

/** How long this request waits before a second target is asked; null: none is, as for nearly all. */
export function hedgeAfterMs({ prepared, trace }: ExchangeContext): number | null {
  const { serving } = prepared.chosen.model
  if (serving?.hedgeAfterMs === undefined || prepared.reservation === null) return null
  return hedgeAfterMsOf(prepared.chosen.model, trace.wire)
}

/** How long requests of a model that cost something wait for a hedge; null: none is sent. What is paid by the piece (pictures, sound) would be made and paid twice. */
export function hedgeAfterMsOf({ serving }: Pick<Model, 'serving'>, wire: Wire): number | null {
  return wireFacts(wire).unit === undefined ? (serving?.hedgeAfterMs ?? null) : null
}
