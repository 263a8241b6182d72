import type { ModelPrices } from '../../core/price-rules.ts'
import type { ScheduledPrice } from '../../routing/catalog.ts'
import { modelPriceColumns, modelPricesOf } from './prices.ts'

/** A scheduled price in `models.scheduled_json`: prices by the columns that a model has for them, amounts as text. */
type ScheduledPriceJson = Omit<ScheduledPrice, 'prices'> & {
  readonly prices: Readonly<Record<string, string | null>> | null
}

export function scheduledPriceJson(scheduled: ScheduledPrice | undefined): string | null {
  if (scheduled === undefined) return null
  const { prices, ...others } = scheduled
  const json: ScheduledPriceJson = { ...others, prices: prices === null ? null : columnsAsText(prices) }
  return JSON.stringify(json)
}

/** `json`: the decoded column. */
export function scheduledPriceIn(json: unknown): { readonly scheduled?: ScheduledPrice } {
  if (json === null) return {}
  const { prices, ...others } = json as ScheduledPriceJson
  return { scheduled: { ...others, prices: prices === null ? null : pricesIn(prices) } }
}

function columnsAsText(prices: ModelPrices): Readonly<Record<string, string | null>> {
  const columns = Object.entries(modelPriceColumns(prices))
  return Object.fromEntries(columns.map(([name, value]) => [name, value == null ? null : String(value)]))
}

function pricesIn({ price_rules_json: rules = null, ...amounts }: Readonly<Record<string, string | null>>) {
  const columns = Object.entries(amounts).map(([name, text]) => [name, text === null ? null : BigInt(text)])
  const row = { ...Object.fromEntries(columns), price_rules_json: rules === null ? null : JSON.parse(rules) }
  return modelPricesOf(row as Parameters<typeof modelPricesOf>[0])
}
