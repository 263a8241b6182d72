import type { CollectedBytes } from '../../core/collected-bytes.ts'
import { ANSWER_LIMIT_BYTES, DRAIN_BYTES, DRAIN_FOR_INPUT_MS, DRAIN_MS } from '../../core/limits.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import { isGood } from '../upstream-faults.ts'
import type { Attempts } from './attempts.ts'
import type { ExchangeContext } from './context.ts'
import type { ExchangeSettlement } from './settlement.ts'
import { usedBy, usedByAnswer } from './request-cost.ts'
import type { UnreadBytes } from './unread-bytes.ts'
import { inputKnown, isUsageKnown, mayHaveThought, usedWhenCut } from './used-when-cut.ts'

/** Where an exchange stood when its client hung up. */
interface StateAtDisconnect {
  /** The status of the upstream's answer; 0: none came. */
  readonly status: number
  readonly reader: StreamReader | null
  /** What came of a whole answer; null: it is none, or has not begun. */
  readonly collected: CollectedBytes | null
  readonly unread: UnreadBytes
  /** Something of it went to the client. */
  readonly hasForwarded: boolean
}

interface DisconnectParts {
  readonly attempts: Attempts
  readonly settlement: ExchangeSettlement
  /** Called once, when all is settled. */
  readonly over: () => void
}

/** What its upstream is read on for: the whole usage, or the input alone where nothing else is worth waiting for. */
type DrainGoal = 'usage' | 'input'

/**
 * The end of an exchange whose client hung up. Its upstream is read on for the usage where that is about to come, where more
 * was written than can be seen, or where more was read than was sent: within bounds, and without the client's connection.
 * Then it is settled. Decision 0024.
 */
export class ClientDisconnect {
  readonly #context: ExchangeContext
  readonly #joined: DisconnectParts
  #at: StateAtDisconnect | null = null
  /** null: it is not read on. */
  #drainGoal: DrainGoal | null = null
  /** `Clock.elapsed` when the client left. */
  #leftAt = 0
  #bytes = 0

  constructor(context: ExchangeContext, joined: DisconnectParts) {
    this.#context = context
    this.#joined = joined
  }

  /** The client is gone: reads on, or settles at once. To be called once. */
  begin(at: StateAtDisconnect): void {
    this.#at = at
    const { parts, prepared } = this.#context
    prepared.reservation?.leave()
    const drainGoal = this.#drainGoalOf(at)
    if (drainGoal === null || !parts.drainLimit.take(prepared.caller.account.id)) return this.settle()
    this.#drainGoal = drainGoal
    this.#leftAt = parts.clock.elapsed()
    this.#joined.attempts.resume()
    const unread = at.unread.takeAll()
    if (unread !== null) this.take(unread)
  }

  /** The head of an answer came that was not there when the client left. */
  answered(answer: Pick<StateAtDisconnect, 'status' | 'reader' | 'collected'>): void {
    if (this.#at === null) return
    this.#at = { ...this.#at, ...answer }
    if (!isGood(answer.status)) this.settle()
  }

  /** More came; no reader is left for it, so only what it says of the usage matters. */
  take(bytes: Buffer): void {
    const at = this.#at
    if (at === null) return
    this.#bytes += bytes.length
    const { reader, collected } = at
    try {
      if (reader === null) collected?.add(bytes, ANSWER_LIMIT_BYTES)
      else reader.push(bytes)
    } catch {
      return this.settle()
    }
    if (this.#bytes > DRAIN_BYTES || (reader !== null && this.#isEnough(reader))) this.settle()
  }

  tick(elapsed: number): void {
    const at = this.#at
    if (at === null || this.#drainGoal === null) return
    const patience = inputKnown(this.#context, at.reader) === 'unknown' ? DRAIN_FOR_INPUT_MS : DRAIN_MS
    if (elapsed >= this.#leftAt + patience) this.settle()
  }

  /** The upstream broke. What it had answered until then is paid for, as a rule; a request without an answer failed. */
  broke(): void {
    if (this.#at?.status === 0 && this.#drainGoal !== null) this.#at = { ...this.#at, status: BROKEN }
    this.settle()
  }

  /** Puts into the books what is known by now, and cancels the upstream. */
  settle(): void {
    const at = this.#at
    if (at === null) return
    this.#at = null
    const { attempts, settlement, over } = this.#joined
    const { parts, prepared } = this.#context
    const isWhole = attempts.isDone
    if (this.#drainGoal !== null) parts.drainLimit.release(prepared.caller.account.id)
    attempts.close(null, isGood(at.status) ? at.status : 0)
    attempts.abort()
    const used = this.#usedBy(at, isWhole)
    const { hasBegun } = this.#context.answer
    if (used === null) {
      settlement.withoutCharge('aborted', { fault: null, hasBegun })
      over()
    } else settlement.settle({ outcome: 'aborted', fault: null, httpStatus: hasBegun ? 200 : null }, used, () => over())
  }

  #drainGoalOf({ status, reader, collected, hasForwarded }: StateAtDisconnect): DrainGoal | null {
    const { attempts, settlement } = this.#joined
    if (!settlement.isMetered || attempts.isDone) return null
    // A whole answer that begins to come is written already, as a rule.
    if (collected !== null || reader?.isWhole === true) return isGood(status) ? 'usage' : null
    if (reader !== null && isUsageKnown(reader)) return null
    if (reader !== null && hasForwarded && (reader.isStopping || mayHaveThought(this.#context, reader))) return 'usage'
    const isOwed = (reader !== null && hasForwarded) || this.#owesInput()
    return isOwed && inputKnown(this.#context, reader) !== 'known' ? 'input' : null
  }

  #isEnough(reader: StreamReader): boolean {
    return isUsageKnown(reader) || (this.#drainGoal === 'input' && inputKnown(this.#context, reader) === 'known')
  }

  /** Null: nothing is owed. */
  #usedBy(at: StateAtDisconnect, isWhole: boolean): UsedSoFar | null {
    const { attempts, settlement } = this.#joined
    if (!settlement.isMetered) return null
    if (at.reader?.isWhole === true) return (isWhole ? usedByWhole(at.reader) : null) ?? this.#unansweredIfOwed()
    if (at.reader !== null && (at.hasForwarded || this.#drainGoal !== null))
      return usedWhenCut(this.#context, at.reader)
    if (at.status !== 0 && !isGood(at.status)) return null
    if (at.collected !== null && isWhole) {
      const answer = attempts.adapter?.readAnswer(at.collected.whole())
      if (answer?.kind === 'answer') return usedByAnswer(answer)
    }
    return this.#unansweredIfOwed()
  }

  #unansweredIfOwed(): UsedSoFar | null {
    return this.#owesInput() ? this.#unanswered() : null
  }

  /** Nothing came, and all that the request sent was with the upstream. */
  #owesInput(): boolean {
    return this.#context.parts.chargesUnanswered && this.#joined.attempts.isSent
  }

  /** Pictures are drawn to their end, left or not: all that were asked for are owed. Of everything else the input is. */
  #unanswered(): UsedSoFar {
    const { units } = this.#context.prepared.head
    const drawsImages = units !== undefined && units.images !== null
    return drawsImages ? UNANSWERED : { ...UNANSWERED, estimatedOutputTokens: 0 }
  }
}

/** Stands for the status of an upstream that broke before it answered. */
const BROKEN = 502

/** What a whole answer used that came in place of a stream; null where it is not an answer. */
function usedByWhole(reader: StreamReader): UsedSoFar | null {
  return reader.finish().kind === 'complete' ? usedBy(reader) : null
}

/** What a request used that was left before anything came: its input, and what is expected of output that is not text. */
const UNANSWERED: UsedSoFar = {
  reported: NO_TOKENS,
  isFinal: true,
  producedText: () => '',
  notes: ['left_unanswered'],
}
