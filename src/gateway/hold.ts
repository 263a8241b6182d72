import { HELD_OUTPUT_TOKENS_LIMIT } from '../core/limits.ts'
import { type NanoUsd, nanoUsd, ZERO_NANO_USD } from '../core/money.ts'
import type { TokenPrices } from '../core/prices.ts'
import { NO_TOKENS } from '../core/tokens.ts'
import { costOf } from '../metering/cost.ts'
import type { RequestHead } from '../protocols/protocol.ts'
import type { ChosenModel } from './choose-model.ts'

/** How much money is held before a request is sent: its estimated input at the dearest input price, and its output up to a cap. */
export function amountToHold(head: RequestHead, chosen: ChosenModel): NanoUsd {
  const { prices, group, model } = chosen
  const limit = head.outputTokensLimit ?? model.maxOutputTokens ?? HELD_OUTPUT_TOKENS_LIMIT
  const tokens = {
    ...NO_TOKENS,
    input: head.estimatedInputTokens,
    output: Math.min(limit, HELD_OUTPUT_TOKENS_LIMIT) * head.choices,
  }
  const amount = costOf(tokens, { ...prices, input: dearestInput(prices) }, group.multiplier)
  // An estimate of nothing is no promise: what comes may cost all the same, and must find a budget to be charged to.
  return amount > 0n ? amount : nanoUsd(1n)
}

/** Whether nothing that comes of a request can cost anything. */
export function isFreeForGood({ prices, group }: ChosenModel): boolean {
  const kinds = [prices.input, prices.output, prices.cacheRead, prices.cacheWrite, prices.cacheWrite1h]
  return group.multiplier === 0n || kinds.every((price) => price === null || price === 0n)
}

function dearestInput(prices: TokenPrices): NanoUsd {
  return [prices.cacheWrite, prices.cacheWrite1h].reduce<NanoUsd>(
    (dearest, price) => (price !== null && price > dearest ? price : dearest),
    prices.input > 0n ? prices.input : ZERO_NANO_USD,
  )
}
