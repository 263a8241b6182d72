import { ANSWER_LIMIT_BYTES, DRAIN_BYTES, DRAIN_FOR_INPUT_MS, DRAIN_MS } from '../../core/limits.ts'
import { NO_TOKENS, totalInput } from '../../core/tokens.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import { asksToThink } from '../../protocols/asked-thinking.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { ResponseAdapter } from '../request/outbound.ts'
import { isGood } from '../upstream-faults.ts'
import { mostAllowed } from './hold.ts'
import { usedBy, usedByAnswer } from './request-cost.ts'
import type { Draining, DrainGoal, ExchangeState, StateAtDisconnect } from './state.ts'

// What a request owes whose client hung up, and what its upstream is read on for: for the usage where that is about to come,
// where more was written than can be seen, or where more was read than was sent. Decision 0024.

/** The attempt that was under way when the client hung up. */
interface AttemptAtDisconnect {
  /** The upstream's part of the answer is whole. */
  readonly isDone: boolean
  readonly isSent: boolean
  readonly adapter: Pick<ResponseAdapter, 'readAnswer'> | null
}

/** What the upstream is worth reading on for after the client hung up; null: nothing. */
export function drainGoalOf(
  state: ExchangeState,
  { status, reader, collected }: StateAtDisconnect,
  attempt: AttemptAtDisconnect,
): DrainGoal | null {
  if (!state.isMetered || attempt.isDone) return null
  // A whole answer that begins to come is written already, as a rule.
  if (collected !== null || reader?.isWhole === true) return isGood(status) ? 'usage' : null
  if (reader !== null && isUsageKnown(reader)) return null
  const { hasForwarded } = state
  if (reader !== null && hasForwarded && (reader.isStopping || mayHaveThought(state, reader))) return 'usage'
  const isCharged = (reader !== null && hasForwarded) || chargesInput(state, attempt)
  return isCharged && inputKnown(state, reader) !== 'known' ? 'input' : null
}

/** Looks at more that came of an upstream that is read on, for the usage alone. Returns whether that is enough, or too much. */
export function drain(state: ExchangeState, { at, goal }: Draining, bytes: Buffer): boolean {
  const { reader, collected } = at
  state.drainedBytes += bytes.length
  try {
    if (reader === null) collected?.add(bytes, ANSWER_LIMIT_BYTES)
    else reader.push(bytes)
  } catch {
    return true
  }
  return state.drainedBytes > DRAIN_BYTES || (reader !== null && isDrained(state, reader, goal))
}

/** Whether nothing more has to come for the goal. */
function isDrained(state: ExchangeState, reader: StreamReader, goal: DrainGoal): boolean {
  return isUsageKnown(reader) || (goal === 'input' && inputKnown(state, reader) === 'known')
}

/** How long the upstream is read on for, in milliseconds. */
export function drainPatienceMs(state: ExchangeState, reader: StreamReader | null): number {
  return inputKnown(state, reader) === 'unknown' ? DRAIN_FOR_INPUT_MS : DRAIN_MS
}

/** What the request used until it ended; null: nothing is charged. `goal` null: its upstream was not read on. */
export function usedAfterDisconnect(
  state: ExchangeState,
  { status, reader, collected }: StateAtDisconnect,
  { goal, ...attempt }: AttemptAtDisconnect & { readonly goal: DrainGoal | null },
): UsedSoFar | null {
  if (!state.isMetered) return null
  const input = () => (chargesInput(state, attempt) ? unanswered(state) : null)
  if (reader?.isWhole === true) return (attempt.isDone ? usedByWhole(reader) : null) ?? input()
  if (reader !== null && (state.hasForwarded || goal !== null)) return usedWhenCut(state, reader)
  if (status !== 0 && !isGood(status)) return null
  if (collected !== null && attempt.isDone) {
    const answer = attempt.adapter?.readAnswer(collected.whole())
    if (answer?.kind === 'answer') return usedByAnswer(answer)
  }
  return input()
}

/** The status that an upstream counts as having answered with which broke before it answered, while it was read on. */
export const BROKEN = 502

/** Whether the input is charged where nothing came: all that the request sent was with the upstream. */
function chargesInput({ parts }: ExchangeState, { isSent }: AttemptAtDisconnect): boolean {
  return parts.chargesUnanswered && isSent
}

/** What a request used whose client left before anything came. Pictures are drawn to their end, so all of them are charged; of everything else the input is. */
function unanswered({ request: { head } }: ExchangeState): UsedSoFar {
  const drawsImages = head.units !== undefined && head.units.images !== null
  return drawsImages ? UNANSWERED : { ...UNANSWERED, estimatedOutputTokens: 0 }
}

/** What a whole answer used that came in place of a stream; null where it is not an answer. */
function usedByWhole(reader: StreamReader): UsedSoFar | null {
  return reader.finish().kind === 'complete' ? usedBy(reader) : null
}

/** The input of a request that was left before anything came, and what is expected of output that is not text. */
const UNANSWERED: UsedSoFar = {
  reported: NO_TOKENS,
  isFinal: true,
  producedText: () => '',
  notes: ['left_unanswered'],
}

/** What a stream used that was cut short, with the thinking that neither its text nor a report shows. */
export function usedWhenCut(state: ExchangeState, reader: StreamReader): UsedSoFar {
  const used = usedSoFar(reader)
  const tokens = reader.usageIsFinal ? 0 : expectedThinking(state)
  if (tokens === 0) return used
  return { ...used, hiddenOutput: { tokens, isPartlyShown: reader.hasThought, most: mostWritten(state) } }
}

/** What a stream used that was cut short, with no more than can be seen. */
export function usedSoFar(reader: StreamReader): UsedSoFar {
  return { ...usedBy(reader), isFinal: reader.usageIsFinal }
}

/**
 * How long a stream is read on for that was ended here at a stop sequence, in milliseconds: as for a client that hung up, but
 * to the upstream's own end where the input is not known, since this client did nothing to hide it.
 */
export function cutPatienceMs(state: ExchangeState, reader: StreamReader): number {
  if (isUsageKnown(reader)) return 0
  if (inputKnown(state, reader) === 'unknown') return Infinity
  return reader.isStopping || mayHaveThought(state, reader) ? DRAIN_MS : 0
}

/** Nothing more has to come to know what it cost. */
function isUsageKnown(reader: StreamReader): boolean {
  return reader.ended || reader.usageIsFinal
}

/** More may have been written than can be seen. */
function mayHaveThought(state: ExchangeState, reader: StreamReader): boolean {
  return reader.hasThought || expectedThinking(state) > 0 || asksToThink(state.request.body)
}

/**
 * What is known of the input: `known` where it was in the request, or was reported for good. `growing`: tools of the
 * upstream's own were not called so far, as far as it shows, and may be.
 */
function inputKnown({ request }: ExchangeState, reader: StreamReader | null): 'known' | 'growing' | 'unknown' {
  const { outside } = request.head
  const hasLooped = outside.loops && (reader?.hasCalledTools ?? true)
  if (hasLooped) return 'unknown'
  const isReported = reader !== null && (totalInput(reader.usage) ?? 0) > 0
  if ((outside.refers || outside.media) && !isReported) return 'unknown'
  return outside.loops ? 'growing' : 'known'
}

/** Nothing is held for more than the limit that went upstream, and no upstream that keeps it writes more. */
function mostWritten({ parts, request, trace: { target } }: ExchangeState): number {
  return target !== null && parts.ignoredLimits.has(target) ? Infinity : mostAllowed(request)
}

function expectedThinking({ parts, request }: ExchangeState): number {
  return parts.hiddenOutput.expected(request.chosen.model.name)
}
