import type { UsageRecordView } from '../../src/contract/usage.ts'
import { decimalOf, decimalText } from '../format/decimal.ts'

type WireLine = UsageRecordView['price_lines'][number]

export interface ExplainedLine {
  readonly kind: WireLine['kind']
  readonly count: number
  /** How many the price is for: a million tokens or characters; one request, image or second. */
  readonly per: WireLine['per']
  /** USD for so many. */
  readonly price: string
  /** `count × price × multiplier`, exact. */
  readonly cost: string
}

export interface PriceExplanation {
  readonly lines: readonly ExplainedLine[]
  readonly multiplier: string
  /** The lines added up, exact; up to 21 places. */
  readonly sum: string
  /** What was added to reach a whole billionth of a dollar; `"0"` when nothing was. */
  readonly rounding: string
  readonly cost: string
  /** Whether lines, rounding and cost are the same sum. Where they are not, the cost was limited, and is what counts. */
  readonly addsUp: boolean
  /** Whether those who paid paid the cost. */
  readonly isPaid: boolean
}

/** Places of an exact cost: a price has nine, a million tokens six, the multiplier six. */
const PRICE_PLACES = 9
const MULTIPLIER_PLACES = 6
const EXACT_PLACES = PRICE_PLACES + 6 + MULTIPLIER_PLACES
const ONE_NANO = 10n ** BigInt(EXACT_PLACES - PRICE_PLACES)

/**
 * How the cost of a record came about, worked out here once more from tokens, unit prices and multiplier, so that the page
 * shows a sum that is true and not one that was sent. null: nothing was counted.
 */
export function explainPrice(
  record: Pick<UsageRecordView, 'price_lines' | 'cost' | 'paid_by_balance' | 'paid_by_subscriptions'>,
): PriceExplanation | null {
  const [first] = record.price_lines
  if (first === undefined) return null
  const lines = record.price_lines.map((line) => ({ line, exact: exactOf(line) }))
  const sum = lines.reduce((total, { exact }) => total + exact, 0n)
  const cost = decimalOf(record.cost, EXACT_PLACES) ?? 0n
  const rounding = cost - sum
  const paid = [record.paid_by_balance, ...record.paid_by_subscriptions.map(({ usd }) => usd)]
  return {
    lines: lines.map(({ line, exact }) => ({
      kind: line.kind,
      count: line.count,
      per: line.per,
      price: line.price,
      cost: decimalText(exact, EXACT_PLACES),
    })),
    multiplier: first.multiplier,
    sum: decimalText(sum, EXACT_PLACES),
    rounding: decimalText(rounding, EXACT_PLACES),
    cost: record.cost,
    addsUp: rounding >= 0n && rounding < ONE_NANO,
    isPaid: paid.reduce((total, amount) => total + (decimalOf(amount, EXACT_PLACES) ?? 0n), 0n) === cost,
  }
}

function exactOf({ count, per, price, multiplier }: WireLine): bigint {
  const millions = BigInt(1_000_000 / per)
  return (
    BigInt(count) * millions * (decimalOf(price, PRICE_PLACES) ?? 0n) * (decimalOf(multiplier, MULTIPLIER_PLACES) ?? 0n)
  )
}
