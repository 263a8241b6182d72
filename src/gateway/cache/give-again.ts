import { ZERO_NANO_USD } from '../../core/money.ts'
import { multiplierOfKept } from '../../core/response-cache-rule.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { type ExchangeContext, ExchangeState } from '../exchange/state.ts'
import { ExchangeSettlement, NO_ATTEMPT } from '../exchange/settlement.ts'
import type { KeptAnswer } from '../memory/response-cache.ts'
import type { Ending } from '../request/record.ts'
import type { ChosenModel } from '../request/prepared.ts'

/**
 * Answers an admitted request with what is kept, once it is in the books: charged for the same counts at the prices of now,
 * by the group's multiplier and the rule's factor together. Closes the reservation. Resolves when the answer is written.
 */
export function giveAgain(context: ExchangeContext, kept: KeptAnswer, hasLeft: boolean): Promise<void> {
  const { prepared, answer, parts } = context
  const { affinity, reservation } = prepared
  const chosen = soldAgain(prepared.chosen)
  const state = new ExchangeState(context)
  state.chargeIn({ chosen, affinity }, reservation)
  const settlement = new ExchangeSettlement(state, NO_ATTEMPT)
  if (hasLeft) {
    settlement.withoutCharge('aborted', { fault: null, hasBegun: false })
    return Promise.resolve()
  }
  state.noteFirstByte(parts.clock.elapsed())
  answer.dropped(kept.dropped)
  return new Promise((resolve) => {
    settlement.book(endingOf(chosen, kept, prepared.head.terms ?? NO_TERMS), (failure, { cost }) => {
      if (failure !== null) answer.fault(failure)
      else if (kept.isStream) {
        answer.beginStream()
        answer.endStream(kept.body)
      } else answer.whole(kept.contentType, kept.body, cost)
      resolve()
    })
  })
}

function soldAgain(chosen: ChosenModel): ChosenModel {
  const { group } = chosen
  if (group.cache === undefined) return chosen
  return { ...chosen, group: { ...group, multiplier: multiplierOfKept(group.multiplier, group.cache) } }
}

/** No provider was asked, so the request cost nothing there. */
function endingOf({ prices, group }: ChosenModel, { tokens, terms }: KeptAnswer, asked: typeof NO_TERMS): Ending {
  const applied = appliedPrices(prices, tokens, { asked, named: terms ?? NO_TERMS })
  return {
    outcome: 'completed',
    fault: null,
    httpStatus: 200,
    tokens,
    usageSource: 'reported',
    isCapped: false,
    usageNotes: ['kept_answer'],
    applied,
    cost: costOf(tokens, applied.prices, group.multiplier),
    providerCost: ZERO_NANO_USD,
  }
}
