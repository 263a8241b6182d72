import { CALLS_LIMIT } from './limits.ts'
import type { NanoUsd } from './money.ts'

/**
 * Calls of tools that the provider runs inside a request and charges apart from tokens. Their names are those of the
 * settings (`per_call`), of receipts and of records.
 *
 * `web_search`: one search. `grounded_prompt`: an answer that searched at all, however often; Gemini 2.5 is charged by these,
 * Gemini 3 by searches. `maps_grounding`: an answer with places of Google Maps. `code_interpreter`: a container, which is
 * what OpenAI charges.
 */
export const CALL_KINDS = [
  'web_search',
  'web_fetch',
  'file_search',
  'code_interpreter',
  'image_generation',
  'grounded_prompt',
  'maps_grounding',
] as const

export type CallKind = (typeof CALL_KINDS)[number]

/** How many calls of each kind there were; a kind that is not there: none, or nothing was said of it. */
export type CallCounts = { readonly [Kind in CallKind]?: number }

/** Nano-USD for a million calls, as for tokens, so that one sum is divided and rounded once. A kind that is not there: free. */
export type CallPrices = { readonly [Kind in CallKind]?: NanoUsd }

/** Undefined when there were none, so that there is one way to say so. */
export function callsMade(calls: CallCounts): CallCounts | undefined {
  return CALL_KINDS.some((kind) => (calls[kind] ?? 0) > 0) ? calls : undefined
}

/** The calls that can be believed: no more than `CALLS_LIMIT` of a kind. */
export function boundedCalls(calls: CallCounts): { readonly calls: CallCounts; readonly isCapped: boolean } {
  if (!CALL_KINDS.some((kind) => (calls[kind] ?? 0) > CALLS_LIMIT)) return { calls, isCapped: false }
  const bounded = CALL_KINDS.map((kind) => [kind, Math.min(calls[kind] ?? 0, CALLS_LIMIT)] as const)
  return { calls: Object.fromEntries(bounded.filter(([, count]) => count > 0)), isCapped: true }
}

/** Two counts of the same calls: of each kind the larger number. */
export function largerCalls(one: CallCounts | undefined, other: CallCounts | undefined): CallCounts | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const larger: { [Kind in CallKind]?: number } = { ...one }
  for (const kind of Object.keys(other) as CallKind[]) larger[kind] = Math.max(one[kind] ?? 0, other[kind] ?? 0)
  return larger
}
