import type { TokenCounts } from '../../core/tokens.ts'
import type { EarlyEnd } from '../protocol.ts'

/** What an answer that is ended early says that it used, as OpenAI's wires count: cached input is part of the input. */
export interface EarlyUsage {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

/** Null when the input is unknown: these wires have no way to say so but to leave the usage out. */
export function earlyUsage(end: EarlyEnd, reported: TokenCounts): EarlyUsage | null {
  const input = end.inputTokens ?? reportedInput(reported)
  if (input === null) return null
  const { cacheRead, reasoning } = reported
  const output = end.outputTokens
  return { input, cached: Math.min(cacheRead ?? 0, input), output, reasoning: Math.min(reasoning ?? 0, output) }
}

/** All the input that the upstream reported, cached and not; null when it reported none. */
export function reportedInput({ input, cacheRead, cacheWrite, cacheWrite1h, other }: TokenCounts): number | null {
  if (input === null) return null
  const apart = (other?.audioInput ?? 0) + (other?.imageInput ?? 0)
  return input + (cacheRead ?? 0) + (cacheWrite ?? 0) + (cacheWrite1h ?? 0) + apart
}

/** An id for an answer that the upstream has not given one: the request's own, with the prefix of its wire. */
export function madeUpId(prefix: 'chatcmpl-' | 'cmpl-' | 'resp_' | 'msg_', requestId: string): string {
  return prefix + requestId.replace(/^req_/, '')
}
