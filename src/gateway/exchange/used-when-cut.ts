import { DRAIN_MS } from '../../core/limits.ts'
import { totalInput } from '../../core/tokens.ts'
import type { UsedSoFar } from '../../metering/usage/final-usage.ts'
import { asksToThink } from '../../protocols/asked-thinking.ts'
import type { StreamReader } from '../../protocols/protocol.ts'
import type { ExchangeContext } from './context.ts'
import { mostAllowed } from './hold.ts'
import { usedBy } from './request-cost.ts'

/** What a stream used that was cut short, with the thinking that neither its text nor a report shows. */
export function usedWhenCut(context: ExchangeContext, reader: StreamReader): UsedSoFar {
  const used = usedSoFar(reader)
  const tokens = reader.usageIsFinal ? 0 : expectedThinking(context)
  if (tokens === 0) return used
  return { ...used, hiddenOutput: { tokens, isPartlyShown: reader.hasThought, most: mostWritten(context) } }
}

/** What a stream used that was cut short, with no more than can be seen. */
export function usedSoFar(reader: StreamReader): UsedSoFar {
  return { ...usedBy(reader), isFinal: reader.usageIsFinal }
}

/** An answer that was ended at a stop sequence here, while its upstream goes on. */
export class CutAnswer {
  readonly #context: ExchangeContext
  /** `Clock.elapsed` when it was first seen to be. */
  #since: number | null = null

  constructor(context: ExchangeContext) {
    this.#context = context
  }

  /** Whether there is nothing to read on for, or the time for that is over. */
  isOver(reader: StreamReader): boolean {
    if (reader.isCutHere !== true) return false
    const now = this.#context.parts.clock.elapsed()
    this.#since ??= now
    return now - this.#since >= this.#patience(reader)
  }

  /**
   * How long the upstream is read on for, in milliseconds: as for a client that hung up (decision 0024), but to its own end where the input is not known,
   * since this client did nothing to hide it.
   */
  #patience(reader: StreamReader): number {
    if (isUsageKnown(reader)) return 0
    if (inputKnown(this.#context, reader) === 'unknown') return Infinity
    return reader.isStopping || mayHaveThought(this.#context, reader) ? DRAIN_MS : 0
  }
}

/** Nothing more has to come to know what it cost. */
export function isUsageKnown(reader: StreamReader): boolean {
  return reader.ended || reader.usageIsFinal
}

/** More may have been written than can be seen. */
export function mayHaveThought(context: ExchangeContext, reader: StreamReader): boolean {
  return reader.hasThought || expectedThinking(context) > 0 || asksToThink(context.prepared.body)
}

/**
 * What is known of the input: `known` where it was in the request, or was reported for good. `growing`: tools of the
 * upstream's own were not called so far, as far as it shows, and may be.
 */
export function inputKnown(
  { prepared }: ExchangeContext,
  reader: StreamReader | null,
): 'known' | 'growing' | 'unknown' {
  const { outside } = prepared.head
  const hasLooped = outside.loops && (reader?.hasCalledTools ?? true)
  if (hasLooped) return 'unknown'
  const isReported = reader !== null && (totalInput(reader.usage) ?? 0) > 0
  if ((outside.refers || outside.media) && !isReported) return 'unknown'
  return outside.loops ? 'growing' : 'known'
}

/** Nothing is held for more than the limit that went upstream, and no upstream that keeps it writes more. */
function mostWritten({ parts, prepared, trace: { target } }: ExchangeContext): number {
  return target !== null && parts.ignoredLimits.has(target) ? Infinity : mostAllowed(prepared)
}

function expectedThinking({ parts, prepared }: ExchangeContext): number {
  return parts.hiddenOutput.expected(prepared.chosen.model.name)
}
