import { CALL_KINDS, type CallCounts, type CallKind, type CallPrices, kindsOf } from '../../core/calls.ts'
import { CALLS_LIMIT, HELD_CALLS } from '../../core/limits.ts'
import type { Protocol, RequestHead } from '../../protocols/protocol.ts'
import { searchesByItself } from '../choice/self-searching.ts'
import type { ChosenModel } from '../request/prepared.ts'

/** Calls of the provider's own tools that a request may make, as far as they have fees. */
export interface CallsToHold {
  /** One of each kind of which nothing bounds the number. */
  readonly unbounded: CallCounts
  /** Each by its dearest kind; `named`: what the client allows, null where it does not say. */
  readonly bounds: readonly { readonly kind: CallKind; readonly named: number | null }[]
}

interface AskingRequest {
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  /** Left out: its wire bounds no calls. */
  readonly protocol?: Pick<Protocol, 'toolBounds'>
}

/** Null: none that has a fee, as of nearly all requests. The body is looked at once. */
export function callsToHold(request: AskingRequest): CallsToHold | null {
  const { head, chosen } = request
  const { calls: fees } = chosen.prices
  if (fees === undefined || (head.outside.tools === undefined && !searchesByItself(chosen.model))) return null
  const known = FOUND.get(head)
  if (known?.fees === fees) return known.calls
  const calls = callsIn(request, fees)
  FOUND.set(head, { fees, calls })
  return calls
}

const FOUND = new WeakMap<RequestHead, { readonly fees: CallPrices; readonly calls: CallsToHold | null }>()

function callsIn({ body, head, chosen, protocol }: AskingRequest, fees: CallPrices): CallsToHold | null {
  const tools = [...(head.outside.tools ?? [])]
  const found = tools.length === 0 ? [] : (protocol?.toolBounds?.read(body, head.limits) ?? [])
  const bounded = new Set(found.flatMap(({ tools: each }) => each))
  const free = tools.filter((tool) => !bounded.has(tool)).flatMap(kindsOf)
  const unbounded = [...free, ...(searchesByItself(chosen.model) ? (['web_search'] as const) : [])]
  const bounds = found.flatMap(({ tools: each, named }) => {
    const kind = dearestOf(each.flatMap(kindsOf), fees)
    return kind === null ? [] : [{ kind, named }]
  })
  const charged = unbounded.filter((kind) => (fees[kind] ?? 0n) > 0n)
  if (charged.length === 0 && bounds.length === 0) return null
  return { unbounded: Object.fromEntries(charged.map((kind) => [kind, 1])), bounds }
}

/** Null: all of them are free. */
function dearestOf(kinds: readonly CallKind[], fees: CallPrices): CallKind | null {
  const charged = CALL_KINDS.filter((kind) => kinds.includes(kind) && (fees[kind] ?? 0n) > 0n)
  return charged.toSorted((one, other) => ((fees[one] ?? 0n) < (fees[other] ?? 0n) ? 1 : -1))[0] ?? null
}

/** The calls of a request that may make so many within each bound; `most` left out: all that it may make. */
export function callsWithin({ unbounded, bounds }: CallsToHold, most = CALLS_LIMIT): CallCounts {
  const counts: { [Kind in CallKind]?: number } = { ...unbounded }
  for (const { kind, named } of bounds) {
    counts[kind] = (counts[kind] ?? 0) + Math.min(named ?? HELD_CALLS, CALLS_LIMIT, most)
  }
  return counts
}

/** Whether a bound has to be sent, since the client names none. */
export function lacksBound({ bounds }: CallsToHold): boolean {
  return bounds.some(({ named }) => named === null)
}
