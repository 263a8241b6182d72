import { CALLS_LIMIT } from './limits.ts'
import type { NanoUsd } from './money.ts'

/**
 * Calls of tools that the provider runs inside a request and charges apart from tokens. Their names are those of the
 * settings (`per_call`), of receipts and of records.
 *
 * `web_search`: one search. `grounded_prompt`: an answer that searched at all, however often; Gemini 2.5 is charged by these,
 * Gemini 3 by searches. `maps_grounding`: an answer with places of Google Maps. `web_fetch`: one page. `code_interpreter`: a
 * container, which is what OpenAI and Anthropic charge, and where there are none (Gemini, xAI) a run of code. `x_search`,
 * `document_search`: xAI's searches of posts and of attached files. `file_parsing`: a file that OpenRouter's parser read by OCR.
 * `other_tool`: a call of a tool that the gateway does not know by name.
 */
export const CALL_KINDS = [
  'web_search',
  'web_fetch',
  'file_search',
  'code_interpreter',
  'image_generation',
  'grounded_prompt',
  'maps_grounding',
  'x_search',
  'document_search',
  'file_parsing',
  'other_tool',
] as const

export type CallKind = (typeof CALL_KINDS)[number]

/** How many calls of each kind there were; a kind that is not there: none, or nothing was said of it. */
export type CallCounts = { readonly [Kind in CallKind]?: number }

/**
 * Nano-USD for a million calls, as for tokens, so that one sum is divided and rounded once. 0: free, and meant so. A kind that is
 * not there adds nothing to a cost, but has no price: requests that ask for it are refused (decision 0112).
 */
export type CallPrices = { readonly [Kind in CallKind]?: NanoUsd }

/**
 * A tool that a request asks its provider to run. Google names one tool for what it charges by the search or by the prompt, as
 * the model has it.
 */
export type HostedTool = CallKind | 'google_search'

/** The kinds of calls that a tool makes. A fee for one of them, be it 0, is a price for the tool. */
export function kindsOf(tool: HostedTool): readonly CallKind[] {
  return tool === 'google_search' ? GOOGLE_SEARCHES : [tool]
}

const GOOGLE_SEARCHES = ['web_search', 'grounded_prompt'] as const

/**
 * The kinds of these calls for which there is no fee. An answer of Google's counts both its searches and itself, of which one is
 * charged; and a search that every request makes may be in the price of the request.
 */
export function unpricedKinds(
  calls: CallCounts,
  { fees, hasRequestPrice }: { readonly fees: CallPrices | undefined; readonly hasRequestPrice: boolean },
): readonly CallKind[] {
  return CALL_KINDS.filter((kind) => {
    if ((calls[kind] ?? 0) === 0) return false
    if (kind === 'web_search' && hasRequestPrice) return false
    const isOfGoogle = kind === 'grounded_prompt' || (kind === 'web_search' && calls.grounded_prompt !== undefined)
    return (isOfGoogle ? GOOGLE_SEARCHES : [kind]).every((each) => fees?.[each] === undefined)
  })
}

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
