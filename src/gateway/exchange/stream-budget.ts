import type { Fault } from '../../core/faults.ts'
import { OUTPUT_STEP_TOKENS } from '../../core/limits.ts'
import { nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { type TokenCounts, totalInput, totalOutput } from '../../core/tokens.ts'
import { believableOutput } from '../../metering/usage/usage-verdict.ts'
import type { EarlyEnd, StreamReader } from '../../protocols/protocol.ts'
import type { ExchangeState } from './state.ts'
import { outputLimit } from './request-cost.ts'
import { affordableOutput, costOfTokens, mostAllowed } from './hold.ts'
import { marginOf } from '../ignored-limits.ts'
import { asFault } from '../upstream-faults.ts'

/** A database that does not answer is asked again, so often at most. */
const FAILURES_LIMIT = 20
const PAUSE_MS = 500

/** A stream that nears its end is counted exactly so often at most. */
const COUNTS_LIMIT = 8

/**
 * Keeps a stream within the money that is held for it. Where that is less than it may write, the next step is asked for when
 * half of the last one is written, so that no stream waits; what is refused is asked for once more when all that is held is
 * written. All counts are output tokens.
 */
export class StreamBudget {
  readonly #state: ExchangeState
  readonly #answered: () => void
  readonly #step: number
  /** Nothing more needs to be held than the request may write. */
  #limit: number
  /** An upstream that honours its limit ends a stream by itself within so many tokens beyond what is held, as we count them. */
  readonly #margin: number
  /** No report of more output than this is believed. */
  readonly #believable: number
  #held: number
  /** Less is held than the request asked for. What is held may be over with the first bytes that come. */
  readonly #isShort: boolean
  /** Output other than text is held at once, since it cannot be ended halfway. */
  readonly #isAllHeld: boolean
  #isAsking = false
  #isWaitedFor = false
  #isNear = false
  #refusal: Fault | null = null
  /** What was refused was asked for when everything that is held was written. */
  #isRefusedAtEnd = false
  #failures = 0
  #isCounting = false
  #counts = 0
  /** How much lower the newest count was than the estimate, and how much of that it was the first to show. */
  #overestimated = 0
  #gained = Infinity
  /** Bytes of text that stood there when the model was first seen to have finished; null: it was not. */
  #finishedAt: number | null = null

  /** `answered` is called when a step that was waited for is held, or refused. */
  constructor(state: ExchangeState, answered: () => void) {
    const { head, chosen, hold } = state.request
    this.#state = state
    this.#answered = answered
    this.#step = OUTPUT_STEP_TOKENS * head.choices
    this.#held = hold.tokens
    this.#limit = mostAllowed(state.request)
    this.#margin = this.#held >= this.#limit ? marginOf(this.#limit) : 0
    this.#isShort = hold.limit !== null
    this.#isAllHeld = head.expectedOutputTokens !== undefined
    this.#believable = believableOutput(outputLimit(head, chosen.model.maxOutputTokens))
  }

  /** The stream stands still until a step is held. */
  get isWaitedFor(): boolean {
    return this.#isWaitedFor
  }

  /** What is held is nearly used up, or is less than the request asked for: the stream has to be looked at often. */
  get isNearItsEnd(): boolean {
    return this.#isNear || this.#isShort
  }

  /** Compares what was written with what is held, after everything that was passed on. A Fault: nothing more can be held, and all that was is written. */
  look(reader: StreamReader): 'enough' | 'wait' | Fault {
    this.#isWaitedFor = false
    this.#isNear = false
    if (!reader.mayHaveReached(this.#enough + this.#overestimated)) return 'enough'
    const written = this.#written(reader)
    // A final report beyond all bounds is charged at its bound, and the stream is at its end: nothing is left to hold for.
    if (reader.usageIsFinal && written > this.#believable) return 'enough'
    if (this.#isAllHeld) return 'enough'
    if (this.#held >= this.#limit) {
      if (written <= this.#limit + this.#margin) return 'enough'
      // This upstream takes no notice of limits, or our estimate is much too high.
      this.#limit = Infinity
    }
    if (written < this.#enough) return 'enough'
    this.#isNear = true
    const isAtEnd = written >= this.#held + this.#margin
    if (!this.#isAsking && (this.#refusal === null || (isAtEnd && !this.#isRefusedAtEnd))) this.#ask(reader, isAtEnd)
    if (written < this.#held + this.#margin || this.#isWhole(reader)) return 'enough'
    if (this.#refusal !== null && !this.#isAsking && !this.#isCounting) {
      if (!this.#mayCountAgain(reader)) return this.#refusal
      void this.#count(reader)
    }
    this.#isWaitedFor = this.#isAsking || this.#isCounting
    return this.#isWaitedFor ? 'wait' : 'enough'
  }

  /** The number of tokens below which there is nothing to do. */
  get #enough(): number {
    return this.#held >= this.#limit ? this.#limit + this.#margin : this.#held - Math.min(this.#step, this.#held) / 2
  }

  /** The client has the whole answer, so nothing is left that could be cut: only its usage is waited for, which may be much. */
  #isWhole(reader: StreamReader): boolean {
    if (!reader.isFinished) return false
    this.#finishedAt ??= reader.producedBytes
    // An upstream that writes on behind its own end is held for as before.
    return reader.producedBytes === this.#finishedAt
  }

  /** The estimate leans upwards: where it was counted, only what came since is estimated. */
  #written(reader: StreamReader): number {
    return reader.estimatedOutputTokens - this.#overestimated
  }

  /** Worth it as long as the last count showed that a good part of a step was left. */
  #mayCountAgain(reader: StreamReader): boolean {
    return !reader.usageIsFinal && this.#counts < COUNTS_LIMIT && this.#gained >= Math.min(this.#step, this.#held) / 16
  }

  /**
   * Counts a stream exactly, as the charge will be, before it is ended for want of money. A machine that is too busy to
   * count says nothing about the funds: it is asked again.
   */
  async #count(reader: StreamReader): Promise<void> {
    const estimated = reader.estimatedOutputTokens
    this.#counts += 1
    this.#isCounting = true
    const { tokens, isExact } = await this.#state.parts.tokenCounter.countText(reader.producedText())
    if (isExact) this.#counted(estimated - reader.wholeCount(tokens))
    this.#isCounting = false
    if (this.#isWaitedFor) this.#answered()
  }

  #counted(overestimated: number): void {
    const before = this.#overestimated
    this.#overestimated = Math.max(before, overestimated)
    this.#gained = this.#overestimated - before
    if (this.#gained > 0) this.#isRefusedAtEnd = false
  }

  #ask(reader: StreamReader, isAtEnd: boolean): void {
    const { request, parts } = this.#state
    const { reservation, hold } = request
    if (reservation === null || !reservation.isOpen) return
    const written = this.#written(reader)
    const next = Math.min(this.#limit, Math.max(this.#held, written) + this.#step)
    // The upstream may have reported by now that the input was more than estimated.
    const input = Math.max(hold.input, totalInput(reader.usage) ?? 0)
    const more = costOfTokens(request, { input, output: next }) - reservation.amount
    const answer = more > 0n ? parts.admission.extend(reservation, nanoUsd(more)) : null
    if (answer === null) {
      this.#holds(next)
      return
    }
    this.#isAsking = true
    answer.then(
      ({ fault }) => this.#heard(fault, { next, input, isAtEnd }),
      (error: unknown) => this.#failed(asFault(error)),
    )
  }

  #holds(tokens: number): void {
    this.#held = tokens
    this.#refusal = null
    this.#isRefusedAtEnd = false
  }

  /** Where a whole step was refused, what was left of the funds is held. */
  #heard(refusal: Fault | null, about: { next: number; input: number; isAtEnd: boolean }): void {
    this.#isAsking = false
    if (refusal === null) this.#holds(about.next)
    else {
      const { request } = this.#state
      const amount = request.reservation?.amount ?? ZERO_NANO_USD
      const affordable = Math.min(about.next, affordableOutput(request, amount, { input: about.input }))
      const isMore = affordable > this.#held
      if (isMore) this.#held = affordable
      this.#refusal = refusal
      this.#isRefusedAtEnd = about.isAtEnd && !isMore
    }
    if (this.#isWaitedFor) this.#answered()
  }

  /** The database does not answer, which says nothing about the funds: the stream waits for it, for a while. */
  #failed(fault: Fault): void {
    this.#failures += 1
    if (this.#failures >= FAILURES_LIMIT) {
      this.#isAsking = false
      this.#refusal = fault
      this.#isRefusedAtEnd = true
      if (this.#isWaitedFor) this.#answered()
      return
    }
    setTimeout(() => {
      this.#isAsking = false
      if (this.#isWaitedFor) this.#answered()
    }, PAUSE_MS).unref()
  }
}

/** What the reader of a stream has to know to end it here. `tokens`: as they stand in the books. */
export function earlyFinishOf({ request, trace, parts }: ExchangeState, tokens: TokenCounts): EarlyEnd {
  const { includeUsage, model } = request.head
  return {
    inputTokens: totalInput(tokens),
    outputTokens: totalOutput(tokens) ?? 0,
    includeUsage,
    model,
    requestId: trace.id,
    nowMs: parts.clock.now(),
  }
}
