import { useTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import type { PriceExplanation } from './price-explanation.ts'

/** Writes how a line of a price came about: so many, at which price, times the multiplier where that is not 1. */
export function useLineFormula(): (line: PriceExplanation['lines'][number], price: PriceExplanation) => string {
  const r = useTexts('record')
  const format = useFormat()
  return ({ kind, count, per, price }, { multiplier }) =>
    r.formula({
      kind,
      count,
      written: format.number(count),
      per,
      price: format.exactMoney(price),
      multiplier: multiplier === '1' ? null : multiplier,
    })
}
