import type { KeyWithOwner } from '../../access/api-key.ts'
import { type CallCounts, CALL_KINDS, type CallKind, type CallPrices, kindsOf } from '../../core/calls.ts'
import {
  CALLS_LIMIT,
  COMFORTABLE_STEPS,
  LEAST_OUTPUT_TOKENS,
  OUTPUT_STEP_TOKENS,
  HELD_CALLS,
} from '../../core/limits.ts'
import { formatUsd, type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import type { ModelPrices } from '../../core/price-rules.ts'
import type { TokenPrices } from '../../core/prices.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { fundingOf } from '../../entitlement/funding.ts'
import type { AdmissionRequest, LessMoney, SpendingAdvice } from '../../metering/admission/admission-request.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { dearestPrices } from '../../metering/prices/dearest-prices.ts'
import { unitsToHold } from '../../metering/usage/unit-verdict.ts'
import { namedMedia, namedPictureTokens } from '../../protocols/named-media.ts'
import type { Protocol, RequestHead } from '../../protocols/protocol.ts'
import { isFreeForGood } from '../choice/choose-model.ts'
import { searchesByItself } from '../choice/self-searching.ts'
import type { ChosenModel, OutputHold } from '../request/prepared.ts'

/** A request as its price is worked out. */
export interface PricedRequest {
  /** Tells whether a request may have to do with audio or images, for models that price these apart. */
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
  /** The protocol of the request's wire, as far as it bounds calls of tools; left out: it does not. */
  readonly protocol?: Pick<Protocol, 'toolBounds'>
  /** What is held for it; left out: nothing yet. */
  readonly hold?: OutputHold
}

/** What is assumed of requests and models that name no limits, in tokens; and now in epoch milliseconds. */
export interface HoldingBy {
  readonly heldInputTokens: number
  readonly heldOutputTokens: number
  /** The model has written more than it was allowed to, or may; see `IgnoredLimits`. */
  readonly ignoresLimits: boolean
}

/** What a request asks of the admission. */
export function admissionOf(
  request: PricedRequest & { readonly caller: KeyWithOwner },
  about: HoldingBy & { nowMs: number },
): AdmissionRequest {
  const { head, chosen, caller } = request
  const most = mostOf(request, about)
  const tokens = { input: head.estimatedInputTokens, output: countedOutput(request) }
  const { key } = caller
  const limits = accountLimitsAt(caller, about.nowMs)
  const account = limits === null ? undefined : { id: caller.account.id, rateLimit: limits }
  if (isFreeForGood(chosen)) return { key, account, tokens, amount: ZERO_NANO_USD, caps: [], sources: [] }
  const amount = costOfTokens(request, most)
  return {
    key,
    account,
    tokens,
    // An estimate of nothing promises nothing: what comes may cost all the same, and must find a budget to be charged to.
    amount: amount > 0n ? amount : nanoUsd(1n),
    ...(canReserveLess(request) || mayNeedLess(request) ? { less: () => lessOf(request, most) } : {}),
    advice: (available) => adviceFor(request, { available, outputTokens: most.output }),
    ...fundingOf(caller, chosen.group.id, about.nowMs),
  }
}

/** What came of what was asked for: so much of it is held. */
export function outputHeld(
  request: PricedRequest,
  { held, asked }: { held: NanoUsd; asked: NanoUsd },
  about: HoldingBy,
): OutputHold {
  const { head } = request
  const most = mostOf(request, about)
  const { output } = most
  const trustsLimit = !about.ignoresLimits
  const calls = callsHeld(request, { held, asked })
  if (held >= asked) return { tokens: output, input: most.input, limit: null, trustsLimit, calls }
  const { comfortable } = lessOf(request, most)
  const input = comfortable !== null && held >= comfortable ? worstCaseInputTokens(request) : head.estimatedInputTokens
  if (!canReserveLess(request)) return { tokens: output, input, limit: null, trustsLimit, calls }
  const tokens = Math.min(output, affordableOutput(request, held, { input, calls }))
  const limit = Math.floor(tokens / head.choices)
  const ofClient = head.outputTokensLimit ?? Infinity
  return {
    tokens,
    input,
    limit: limit < Math.min(limitOf(request, about), ofClient) ? limit : null,
    trustsLimit,
    calls,
  }
}

/**
 * The bound to send on calls of tools. Where there is not all that they may cost, half of what is left beyond the least that the
 * request can do with goes to them, since the rest has to pay for what they bring in.
 */
function callsHeld(request: PricedRequest, { held, asked }: { held: NanoUsd; asked: NanoUsd }): number | undefined {
  const calls = callsToHold(request)
  if (calls === null || calls.bounds.length === 0) return undefined
  if (held >= asked) return lacksBound(calls) ? CALLS_LIMIT : undefined
  const costWith = (most: number) => costOfTokens(request, { input: 0, output: LEAST_OUTPUT_TOKENS, calls: most })
  const least = costWith(1)
  let [enough, tooMany] = [1, CALLS_LIMIT + 1]
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2)
    if (2n * (costWith(middle) - least) <= held - least) enough = middle
    else tooMany = middle
  }
  return enough
}

/** All that it may cost at an upstream that takes no notice of the limit that it is sent. */
export function costWithoutLimit(request: PricedRequest, about: Omit<HoldingBy, 'ignoresLimits'>): NanoUsd {
  return costOfTokens(request, mostOf(request, { ...about, ignoresLimits: true }))
}

/**
 * The most output that the limit allows which went upstream, in tokens of all answers together; Infinity where none did.
 * Thinking counts, too, seen or not.
 */
export function mostAllowed({ head, chosen, hold }: PricedRequest & { readonly hold: OutputHold }): number {
  const limit = hold.limit ?? head.outputTokensLimit ?? chosen.model.maxOutputTokens
  return limit === null ? Infinity : limit * head.choices
}

/** Output tokens that an amount pays for beside the input, leaning downwards; Infinity where output costs nothing. */
export function affordableOutput(
  request: PricedRequest,
  amount: NanoUsd,
  beside: { readonly input?: number; readonly calls?: number | undefined } = {},
): number {
  const { input = request.head.estimatedInputTokens, calls } = beside
  const before = costOfTokens(request, { input, output: 0, calls })
  const ofMillion = costOfTokens(request, { input, output: 1_000_000, calls }) - before
  if (ofMillion === 0n) return Infinity
  const tokens = amount <= before ? 0n : ((amount - before) * 1_000_000n) / ofMillion
  return Number(tokens)
}

/** Whether the output can be cut short: not where it is something other than text, or where there is none. */
function canReserveLess({ head }: PricedRequest): boolean {
  return head.expectedOutputTokens === undefined && head.outputTokensLimit !== 0
}

/** All that a request may have, as far as that is known: input that it does not bring itself up to the model's context. */
function mostOf(request: PricedRequest, about: HoldingBy): { input: number; output: number; isBounded: boolean } {
  const { head, chosen } = request
  const isFromOutside = hasExternalInput(head)
  const context = chosen.model.contextTokens ?? about.heldInputTokens
  return {
    input: isFromOutside ? Math.max(worstCaseInputTokens(request), context) : worstCaseInputTokens(request),
    output: head.expectedOutputTokens ?? limitOf(request, about) * head.choices,
    isBounded: !isFromOutside && !about.ignoresLimits,
  }
}

/**
 * The input to hold for where its text may be dense: a token for each byte, but for as many as a step has, by the price of
 * which a request may pass a limit. A model reads no more than its context for each answer; lists of texts have one each.
 */
function worstCaseInputTokens({ head, chosen }: PricedRequest): number {
  const { estimatedInputTokens: estimated, mostInputTokens = 0, hasNoOutput, choices } = head
  if (hasNoOutput) return Math.max(estimated, mostInputTokens)
  const readable = (chosen.model.contextTokens ?? Infinity) * choices
  return Math.max(estimated, Math.min(mostInputTokens - OUTPUT_STEP_TOKENS, readable))
}

/** Whether the reservation covers more input than is estimated. */
function inputIsOverestimated(request: PricedRequest): boolean {
  return worstCaseInputTokens(request) > request.head.estimatedInputTokens
}

/** Whether a request that cannot be cut may need less than is reserved for it: its text is hardly ever as much. */
function mayNeedLess(request: PricedRequest): boolean {
  return !hasExternalInput(request.head) && inputIsOverestimated(request)
}

function hasExternalInput({ outside: { refers, loops, media } }: RequestHead): boolean {
  return refers || loops || media
}

/** The most that one answer may have. Clients ask for more than a model can write, and mean all that it can. */
function limitOf({ head, chosen }: PricedRequest, { heldOutputTokens, ignoresLimits }: HoldingBy): number {
  const ofModel = chosen.model.maxOutputTokens
  if (head.outputTokensLimit === 0) return 0
  if (ignoresLimits || head.outputTokensLimit === null) return ofModel ?? heldOutputTokens
  return Math.min(head.outputTokensLimit, ofModel ?? head.outputTokensLimit)
}

/** How much less a request can run with. */
function lessOf(request: PricedRequest, most: { output: number; isBounded: boolean }): LessMoney {
  const { head, body } = request
  const named = head.outside.refers ? namedPictureTokens(body) : 0
  const costWith = (input: number, outputOfEach: number) => {
    // Also behind an upstream that may write more: with what the client asks for it can begin.
    const each = Math.min(outputOfEach, head.outputTokensLimit ?? Infinity)
    const output = canReserveLess(request) ? Math.min(most.output, each * head.choices) : most.output
    const amount = costOfTokens(request, { input, output, calls: 1 })
    return amount > 0n ? amount : nanoUsd(1n)
  }
  const least = costWith(head.estimatedInputTokens + named, LEAST_OUTPUT_TOKENS)
  if (!most.isBounded) return { least, comfortable: null }
  const comfortable = costWith(worstCaseInputTokens(request), COMFORTABLE_STEPS * OUTPUT_STEP_TOKENS)
  return { least, comfortable, isExclusiveBelow: inputIsOverestimated(request) }
}

/** Output tokens that a limit on tokens counts from the start: all that it may write, or a step where no limit is known. */
function countedOutput(request: PricedRequest): number {
  const { head } = request
  if (head.expectedOutputTokens !== undefined) return head.expectedOutputTokens
  return (
    limitOf(request, { heldInputTokens: 0, heldOutputTokens: OUTPUT_STEP_TOKENS, ignoresLimits: false }) * head.choices
  )
}

/**
 * Tokens at this request's prices, input and output at the highest price that they may turn out to have, its units as far as they are
 * known by now, and the calls of the provider's tools that it may make: `calls` within each bound, or what is held for, or all.
 */
export function costOfTokens(
  request: PricedRequest,
  { input, output, calls: most = request.hold?.calls }: { input: number; output: number; calls?: number | undefined },
): NanoUsd {
  const { chosen, head } = request
  const prices = pricesToHold(request, input)
  const asked = callsToHold(request)
  const counts = { ...NO_TOKENS, input, output, units: unitsToHold(head.units, prices.units) }
  const { multiplier } = chosen.group
  return costOf(asked === null ? counts : { ...counts, calls: callsWithin(asked, most) }, prices, multiplier)
}

/** What is held for by prices that nothing in a request can change, as those of nearly all models. */
const HELD_AT = new WeakMap<ModelPrices, TokenPrices>()

function pricesToHold({ chosen, body, head }: PricedRequest, input: number): TokenPrices {
  const known = HELD_AT.get(chosen.prices)
  if (known !== undefined) return known
  const inputTokens = Math.max(input, head.estimatedInputTokens)
  const prices = dearestPrices(chosen.prices, { inputTokens, asked: head.terms ?? NO_TERMS })
  const { cacheWrite, cacheWrite1h, other } = prices
  const isMedia = head.expectedOutputTokens !== undefined
  const audio = other !== null && (isMedia || namedMedia(body).audio) ? other : null
  const image = other !== null && (isMedia || namedMedia(body).image) ? other : null
  const held = {
    ...prices,
    input: highest(prices.input, [cacheWrite, cacheWrite1h, audio?.audioInput, image?.imageInput]),
    output: highest(prices.output, [audio?.audioOutput]),
  }
  if (chosen.prices.rules === undefined && other === null) HELD_AT.set(chosen.prices, held)
  return held
}

function highest(price: NanoUsd | null, others: readonly (NanoUsd | null | undefined)[]): NanoUsd {
  return others.reduce<NanoUsd>((most, other) => (other && other > most ? other : most), price ?? ZERO_NANO_USD)
}

/** How many output tokens the rest pays for: clients can ask for so many. */
function adviceFor(request: PricedRequest, left: { available: NanoUsd; outputTokens: number }): SpendingAdvice {
  const { head, chosen } = request
  // Output other than text cannot be cut short.
  if (head.expectedOutputTokens !== undefined || left.outputTokens === 0) return {}
  const tokens = Math.floor(affordableOutput(request, left.available, { calls: 1 }) / Math.max(1, head.choices))
  if (tokens === Infinity) return {}
  if (tokens < 1) {
    const input = costOfTokens(request, { input: head.estimatedInputTokens, output: 0, calls: 1 })
    return { input_usd: formatUsd(input), model: chosen.model.name }
  }
  return { affordable_tokens: tokens }
}

/** Calls of the provider's own tools that a request may make, as far as they have fees. */
interface CallsToHold {
  /** One of each kind of which nothing bounds the number. */
  readonly unbounded: CallCounts
  /** Each by its most expensive kind; `named`: what the client allows, null where it does not say. */
  readonly bounds: readonly { readonly kind: CallKind; readonly named: number | null }[]
}

/** Null: none that has a fee, as of nearly all requests. The body is looked at once. */
function callsToHold(request: PricedRequest): CallsToHold | null {
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

function callsIn({ body, head, chosen, protocol }: PricedRequest, fees: CallPrices): CallsToHold | null {
  const tools = [...(head.outside.tools ?? [])]
  const found = tools.length === 0 ? [] : (protocol?.toolBounds?.read(body, head.limits) ?? [])
  const bounded = new Set(found.flatMap(({ tools: each }) => each))
  const free = tools.filter((tool) => !bounded.has(tool)).flatMap(kindsOf)
  const unbounded = [...free, ...(searchesByItself(chosen.model) ? (['web_search'] as const) : [])]
  const bounds = found.flatMap(({ tools: each, named }) => {
    const kind = mostExpensiveOf(each.flatMap(kindsOf), fees)
    return kind === null ? [] : [{ kind, named }]
  })
  const charged = unbounded.filter((kind) => (fees[kind] ?? 0n) > 0n)
  if (charged.length === 0 && bounds.length === 0) return null
  return { unbounded: Object.fromEntries(charged.map((kind) => [kind, 1])), bounds }
}

/** Null: all of them are free. */
function mostExpensiveOf(kinds: readonly CallKind[], fees: CallPrices): CallKind | null {
  const charged = CALL_KINDS.filter((kind) => kinds.includes(kind) && (fees[kind] ?? 0n) > 0n)
  return charged.toSorted((one, other) => ((fees[one] ?? 0n) < (fees[other] ?? 0n) ? 1 : -1))[0] ?? null
}

/** The calls of a request that may make so many within each bound; `most` left out: all that it may make. */
function callsWithin({ unbounded, bounds }: CallsToHold, most = CALLS_LIMIT): CallCounts {
  const counts: { [Kind in CallKind]?: number } = { ...unbounded }
  for (const { kind, named } of bounds) {
    counts[kind] = (counts[kind] ?? 0) + Math.min(named ?? HELD_CALLS, CALLS_LIMIT, most)
  }
  return counts
}

/** Whether a bound has to be sent, since the client names none. */
function lacksBound({ bounds }: CallsToHold): boolean {
  return bounds.some(({ named }) => named === null)
}
