import type { AnswerAbout, RequestHead } from '../../protocols/protocol.ts'
import type { Target } from '../../routing/catalog.ts'
import { searchesByItself } from './self-searching.ts'
import type { ChosenModel } from '../request/prepared.ts'

/**
 * What is to be read of an answer. Calls are counted where some have a fee, here or at the provider, and where a request may
 * make any, so that none pass unseen.
 */
export function answerAbout(
  { model, prices }: ChosenModel,
  { choices, outside }: RequestHead,
  { cost }: Target,
): AnswerAbout {
  const hasFees = prices.calls !== undefined || (cost?.kind === 'prices' && cost.prices.calls !== undefined)
  const countsCalls = hasFees || outside.loops || outside.kept || searchesByItself(model)
  return countsCalls ? { choices, countsCalls: true } : { choices }
}
