import { HELD_OUTPUT_TOKENS_LIMIT } from '../core/limits.ts'
import { type NanoUsd, ZERO_NANO_USD } from '../core/money.ts'
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
  return costOf(tokens, { ...prices, input: dearestInput(prices) }, group.multiplier)
}

function dearestInput(prices: TokenPrices): NanoUsd {
  return [prices.cacheWrite, prices.cacheWrite1h].reduce<NanoUsd>(
    (dearest, price) => (price !== null && price > dearest ? price : dearest),
    prices.input > 0n ? prices.input : ZERO_NANO_USD,
  )
}
