import type { KeyWithOwner } from '../../access/api-key.ts'
import { CALL_KINDS, type CallCounts } from '../../core/calls.ts'
import { OUTPUT_STEP_TOKENS } from '../../core/limits.ts'
import { formatUsd, type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../../core/money.ts'
import { pricesSet, type TokenPrices } from '../../core/prices.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { accountLimitsAt } from '../../entitlement/account-limits.ts'
import { fundingOf } from '../../entitlement/funding.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import type { AdmissionRequest } from '../../metering/admission/admission-request.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { dearestPrices } from '../../metering/prices/dearest-prices.ts'
import { unitsToHold } from '../../metering/usage/unit-verdict.ts'
import type { RequestHead } from '../../protocols/protocol.ts'
import type { ChosenModel } from '../choice/choose-model.ts'

/** A request as its price is worked out. */
export interface PricedRequest {
  /** Tells whether a request has to do with audio or images, for models that price these apart. */
  readonly body: Buffer
  readonly head: RequestHead
  readonly chosen: ChosenModel
}

/** What a request asks of the admission. */
export function admissionOf(
  request: PricedRequest & { readonly caller: KeyWithOwner },
  about: { heldOutputTokens: number; nowMs: number },
): AdmissionRequest {
  const { head, chosen, caller } = request
  const outputTokens = outputToHold(request, about.heldOutputTokens)
  const tokens = { input: head.estimatedInputTokens, output: countedOutput(request) }
  const { key, account } = caller
  const limits = accountLimitsAt(caller, about.nowMs)
  const limited = { key, account: limits === null ? undefined : { id: account.id, rateLimit: limits }, tokens }
  if (isFreeForGood(chosen)) return { ...limited, amount: ZERO_NANO_USD, caps: [], sources: [] }
  const amount = costOfTokens(request, { input: head.estimatedInputTokens, output: outputTokens })
  return {
    ...limited,
    // An estimate of nothing promises nothing: what comes may cost all the same, and must find a budget to be charged to.
    amount: amount > 0n ? amount : nanoUsd(1n),
    advice: (available) => adviceFor(request, { available, outputTokens }),
    ...fundingOf(caller, chosen.group.id, about.nowMs),
  }
}

/** Output tokens that a limit on tokens counts from the start: all that it may write, or a step where no limit is known. */
function countedOutput({ head, chosen }: PricedRequest): number {
  if (head.expectedOutputTokens !== undefined) return head.expectedOutputTokens
  return (head.outputTokensLimit ?? chosen.model.maxOutputTokens ?? OUTPUT_STEP_TOKENS) * head.choices
}

/** Output tokens that are held for before a request is sent: a first step of a stream; of a whole answer up to its limit. */
export function outputToHold({ head, chosen }: PricedRequest, heldOutputTokens: number): number {
  if (head.expectedOutputTokens !== undefined) return head.expectedOutputTokens
  const limit = head.outputTokensLimit ?? chosen.model.maxOutputTokens ?? heldOutputTokens
  return Math.min(limit, head.stream ? OUTPUT_STEP_TOKENS : heldOutputTokens) * head.choices
}

/**
 * Tokens at this request's prices, input and output at the dearest that they may turn out to have, and its units as far as
 * they are known by now.
 */
export function costOfTokens(request: PricedRequest, tokens: { input: number; output: number }): NanoUsd {
  const { chosen, body, head } = request
  const { group } = chosen
  const inputTokens = Math.max(tokens.input, head.estimatedInputTokens)
  const prices = dearestPrices(chosen.prices, { inputTokens, asked: head.terms ?? NO_TERMS })
  const { cacheWrite, cacheWrite1h, other } = prices
  const isMedia = head.expectedOutputTokens !== undefined
  const audio = other !== null && (isMedia || body.includes('audio"')) ? other : null
  const image = other !== null && (isMedia || body.includes('image')) ? other : null
  const input = dearest(prices.input, [cacheWrite, cacheWrite1h, audio?.audioInput, image?.imageInput])
  const output = dearest(prices.output, [audio?.audioOutput])
  const units = unitsToHold(head.units, prices.units)
  const calls = callsToHold(prices, head)
  return costOf({ ...NO_TOKENS, ...tokens, units, ...calls }, { ...prices, input, output }, group.multiplier)
}

/** One call of each kind that has a fee, where the request lets its upstream make calls. How many come cannot be known. */
function callsToHold({ calls }: TokenPrices, { outside }: RequestHead): { readonly calls?: CallCounts } {
  if (calls === undefined || !outside.loops) return NO_CALLS
  return { calls: Object.fromEntries(CALL_KINDS.map((kind) => [kind, 1])) }
}

const NO_CALLS = {}

/** Whether nothing that comes of a request can cost anything. */
function isFreeForGood({ prices, group }: ChosenModel): boolean {
  if (group.multiplier === 0n) return true
  return prices.rules === undefined && pricesSet(prices).every((price) => price === 0n)
}

function dearest(price: NanoUsd | null, others: readonly (NanoUsd | null | undefined)[]): NanoUsd {
  return others.reduce<NanoUsd>(
    (highest, other) => (other && other > highest ? other : highest),
    price ?? ZERO_NANO_USD,
  )
}

/** How many output tokens the rest pays for: clients can ask for so many. */
function adviceFor(request: PricedRequest, left: { available: NanoUsd; outputTokens: number }): string | null {
  const { head, chosen } = request
  const perToken =
    costOfTokens(request, { input: 0, output: 1_000_000 }) - costOfTokens(request, { input: 0, output: 0 })
  // Output other than text cannot be cut short.
  if (head.expectedOutputTokens !== undefined) return null
  const forOutput = left.available - costOfTokens(request, { input: head.estimatedInputTokens, output: 0 })
  if (perToken === 0n || left.outputTokens === 0) return null
  const tokens = forOutput <= 0n ? 0n : (forOutput * 1_000_000n) / perToken / BigInt(Math.max(1, head.choices))
  if (tokens < 1n) {
    const input = costOfTokens(request, { input: head.estimatedInputTokens, output: 0 })
    return `Its input alone costs about $${formatUsd(input)} with ${chosen.model.name}.`
  }
  return `What is left pays for about ${tokens} output tokens: ask for at most that many.`
}
