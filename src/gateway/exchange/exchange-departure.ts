import type { CollectedBytes } from '../../core/collected-bytes.ts'
import { ANSWER_LIMIT_BYTES, READ_ON_BYTES, READ_ON_MS } from '../../core/limits.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import { asksToThink } from '../../protocols/asked-thinking.ts'
import { isGood } from '../upstream-faults.ts'
import type { ExchangeAttempts } from './exchange-attempts.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ExchangeSettlement } from './exchange-settlement.ts'
import { mostAllowed } from './hold.ts'
import { usedBy, usedByAnswer } from './request-cost.ts'
import type { UnreadBytes } from './unread-bytes.ts'

/** Where an exchange stood when its client hung up. */
interface LeftAt {
  /** Of the upstream's answer; 0: none came. */
  readonly status: number
  readonly reader: StreamReader | null
  /** What came of a whole answer; null: it is none, or has not begun. */
  readonly collected: CollectedBytes | null
  readonly unread: UnreadBytes
  /** Something of it went to the client. */
  readonly hasForwarded: boolean
}

interface Joined {
  readonly attempts: ExchangeAttempts
  readonly settlement: ExchangeSettlement
  /** Called once, when all is settled. */
  readonly over: () => void
}

/**
 * The end of an exchange whose client hung up. Its upstream is read on for the usage where that is about to come, or where
 * more was written than can be seen: within bounds, and without the client's connection. Then it is settled. Decision 0024.
 */
export class ExchangeDeparture {
  readonly #context: ExchangeContext
  readonly #joined: Joined
  #at: LeftAt | null = null
  /** `Clock.elapsed` when reading on ends; null: it is not read on. */
  #until: number | null = null
  #bytes = 0

  constructor(context: ExchangeContext, joined: Joined) {
    this.#context = context
    this.#joined = joined
  }

  /** The client is gone: reads on, or settles at once. To be called once. */
  begin(at: LeftAt): void {
    this.#at = at
    const { parts, prepared } = this.#context
    prepared.reservation?.leave()
    if (!this.#isWorthReading(at) || !parts.readOn.take()) return this.settle()
    this.#until = parts.clock.elapsed() + READ_ON_MS
    this.#joined.attempts.resume()
    const unread = at.unread.takeAll()
    if (unread !== null) this.take(unread)
  }

  /** More came; no reader is left for it, so only what it says of the usage matters. */
  take(bytes: Buffer): void {
    const at = this.#at
    if (at === null) return
    this.#bytes += bytes.length
    try {
      if (at.reader === null) at.collected?.add(bytes, ANSWER_LIMIT_BYTES)
      else at.reader.push(bytes)
    } catch {
      return this.settle()
    }
    if (this.#bytes > READ_ON_BYTES || (at.reader !== null && isKnown(at.reader))) this.settle()
  }

  tick(elapsed: number): void {
    if (this.#until !== null && elapsed >= this.#until) this.settle()
  }

  /** Puts into the books what is known by now, and cancels the upstream. */
  settle(): void {
    const at = this.#at
    if (at === null) return
    this.#at = null
    const { attempts, settlement, over } = this.#joined
    const isWhole = attempts.isDone
    if (this.#until !== null) this.#context.parts.readOn.release()
    this.#until = null
    attempts.close(null, at.status)
    attempts.abort()
    const used = this.#usedBy(at, isWhole)
    const { hasBegun } = this.#context.answer
    if (used === null) {
      settlement.withoutCharge('aborted', { fault: null, hasBegun })
      over()
    } else settlement.settle({ outcome: 'aborted', fault: null, httpStatus: hasBegun ? 200 : null }, used, () => over())
  }

  #isWorthReading({ status, reader, collected, hasForwarded }: LeftAt): boolean {
    const { attempts, settlement } = this.#joined
    if (!settlement.isMetered || attempts.isDone) return false
    // A whole answer that begins to come is written already, as a rule.
    if (collected !== null) return isGood(status)
    if (reader === null || !hasForwarded || isKnown(reader)) return false
    return reader.isStopping || this.#isThinker(reader)
  }

  #isThinker(reader: StreamReader): boolean {
    const { prepared } = this.#context
    return reader.hasThought || expectedThinking(this.#context) > 0 || asksToThink(prepared.body)
  }

  /** Null: nothing is owed. */
  #usedBy(at: LeftAt, isWhole: boolean): UsedSoFar | null {
    const { attempts, settlement } = this.#joined
    if (!settlement.isMetered) return null
    if (at.reader !== null && at.hasForwarded) return usedWhenCut(this.#context, at.reader)
    if (at.status !== 0 && !isGood(at.status)) return null
    if (at.collected !== null && isWhole) {
      const answer = attempts.adapter?.readAnswer(at.collected.whole())
      if (answer?.kind === 'answer') return usedByAnswer(answer)
    }
    return this.#owesInput() ? UNANSWERED : null
  }

  /** Images, sound and documents are charged by what is made of them, so nothing of theirs is owed before that. */
  #owesInput(): boolean {
    const { parts, prepared } = this.#context
    const { units, expectedOutputTokens } = prepared.head
    const isText = units === undefined && expectedOutputTokens === undefined
    return parts.chargesUnanswered && isText && this.#joined.attempts.isSent
  }
}

/** What a stream used that was cut short, with the thinking that neither its text nor a report shows. */
export function usedWhenCut(context: ExchangeContext, reader: StreamReader): UsedSoFar {
  const used = { ...usedBy(reader), isFinal: reader.usageIsFinal }
  const tokens = reader.usageIsFinal ? 0 : expectedThinking(context)
  if (tokens === 0) return used
  return { ...used, hiddenOutput: { tokens, isPartlyShown: reader.hasThought, most: mostWritten(context) } }
}

/** Nothing is held for more than the limit that went upstream, and no upstream that keeps it writes more. */
function mostWritten({ parts, prepared }: ExchangeContext): number {
  return parts.ignoredLimits.has(prepared.chosen.model.id) ? Infinity : mostAllowed(prepared)
}

function expectedThinking({ parts, prepared }: ExchangeContext): number {
  return parts.hiddenOutput.expected(prepared.chosen.model.name)
}

/** Nothing more has to come to know what it cost. */
function isKnown(reader: StreamReader): boolean {
  return reader.ended || reader.usageIsFinal
}

/** What a request used that was left before anything came: its input. */
const UNANSWERED: UsedSoFar = {
  reported: NO_TOKENS,
  isFinal: true,
  producedText: () => '',
  estimatedOutputTokens: 0,
  notes: ['left_unanswered'],
}
