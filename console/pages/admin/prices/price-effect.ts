import type { PricesView } from '../../../../src/contract/models.ts'
import type { UsageSummaryView } from '../../../../src/contract/usage.ts'
import { isZero, scaled, sumOf } from '../../../format/money.ts'
import type { PriceForm } from './price-form.ts'

/** What all accounts used of a model in a week. `cost`: what they were charged. */
type WeekOfModel = Pick<
  UsageSummaryView['totals'],
  'requests' | 'input_tokens' | 'cache_read_tokens' | 'output_tokens' | 'cost'
>

/** `usd`: more or less in a week, with its sign; `share`: of what was charged. */
interface PriceEffect {
  readonly usd: string
  readonly share: number
}

/**
 * What other plain prices would have made of last week's charges: the same tokens at both, as far as input, cached input and
 * output go. Long prompts and classes of service are left as they were. null: nothing can be said.
 */
export function priceEffect(before: PricesView | null, form: PriceForm, week: WeekOfModel): PriceEffect | null {
  if (before === null || week.requests === 0) return null
  const plain = costAt(before, week)
  if (isZero(plain) || isZero(week.cost)) return null
  const { amounts } = form
  const price = {
    input: amounts.input.trim() || null,
    output: amounts.output.trim() || null,
    cache_read: amounts.cache_read.trim() || null,
  }
  const usd = sumOf([scaled(week.cost, costAt(price, week), plain), `-${week.cost}`])
  return isZero(usd) ? null : { usd, share: Number(scaled(usd, '1', week.cost)) }
}

function costAt(price: Pick<PricesView, 'input' | 'output' | 'cache_read'>, week: WeekOfModel): string {
  const input = price.input ?? '0'
  const of = (tokens: number, amount: string): string => scaled(amount, String(Math.max(0, tokens)), '1000000')
  return sumOf([
    of(week.input_tokens - week.cache_read_tokens, input),
    of(week.cache_read_tokens, price.cache_read ?? input),
    of(week.output_tokens, price.output ?? '0'),
  ])
}
