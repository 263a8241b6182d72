import type { ModelPrices } from '../../core/price-rules.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { ImportSettings } from '../import-settings.ts'
import { type Rational, rational, times } from '../rational.ts'
import { decimalIn, integerIn, jsonIn, type Row, type SourceReader, textIn } from '../source.ts'
import { type Amounts, WrittenAmounts } from '../written-amounts.ts'

const TOKEN_COLUMNS = {
  input_price: 'input',
  output_price: 'output',
  cache_read_price: 'cache_read',
  cache_write_price: 'cache_write',
} as const
/** Columns of prices for a token. */
export const TOKEN_PRICES = Object.keys(TOKEN_COLUMNS)
const COLUMNS = ['channel_id', 'models', 'billing_mode', 'per_request_price', ...TOKEN_PRICES]
const INTERVAL_COLUMNS = ['pricing_id', 'min_tokens', 'max_tokens', ...TOKEN_PRICES]
/** USD per token there, nano-USD per million tokens here. */
const NANO_OF_MILLION = rational(1_000_000_000n * 1_000_000n)
const NANO = rational(1_000_000_000n)

/** What its channels charge, by the names of models. */
interface ChannelPrices {
  readonly prices: ReadonlyMap<string, ModelPrices>
  /** As they are written there, where they are the same for any length. */
  readonly amounts: ReadonlyMap<string, Amounts>
}

/** Prices of all channels: the first that names a model has it. */
export async function readPrices(
  source: SourceReader,
  about: { settings: ImportSettings; notes: ImportNotes },
): Promise<ChannelPrices> {
  const intervals = new Map<string, Row[]>()
  for await (const row of source.rows('channel_pricing_intervals', INTERVAL_COLUMNS)) {
    const id = textIn(row, 'pricing_id')
    intervals.set(id, [...(intervals.get(id) ?? []), row])
  }
  const prices = new Map<string, ModelPrices>()
  const amounts = new Map<string, Amounts>()
  for await (const row of source.rows('channel_model_pricing', COLUMNS)) {
    const id = textIn(row, 'id')
    const models = jsonIn(row, 'models')
    for (const name of Array.isArray(models) ? models.map(String) : []) {
      if (prices.has(name)) {
        about.notes.note('channel_model_pricing', id, `have a second price for ${name}: the first is carried`)
        continue
      }
      const steps = intervals.get(id) ?? []
      const found = pricesOf(name, { row, intervals: steps, about })
      const plain = plainAmounts(row, steps.length > 0)
      if (found === null) continue
      prices.set(name, found)
      if (plain !== null) amounts.set(name, plain)
    }
  }
  return { prices, amounts }
}

/** Of a row that has one price for any length; null for another. */
export function plainAmounts(row: Row, hasIntervals: boolean): Amounts | null {
  const mode = textIn(row, 'billing_mode')
  const once = decimalIn(row, 'per_request_price')
  if (mode !== 'per_request' && mode !== 'image') return hasIntervals ? null : amountsIn(row)
  return once === null || hasIntervals ? null : ofOne(mode, once)
}

function ofOne(mode: 'per_request' | 'image', usd: Rational): Amounts {
  return { [mode === 'image' ? 'per_image' : 'per_request']: times(usd, NANO) }
}

function pricesOf(
  name: string,
  {
    row,
    intervals,
    about,
  }: { row: Row; intervals: readonly Row[]; about: { settings: ImportSettings; notes: ImportNotes } },
): ModelPrices | null {
  const written = new WrittenAmounts(name, about)
  const mode = textIn(row, 'billing_mode')
  const once = decimalIn(row, 'per_request_price')
  if (mode === 'per_request' || mode === 'image') {
    if (once === null) return null
    return written.prices(ofOne(mode, once))
  }
  const own = amountsIn(row)
  const steps = stepsIn(intervals, own)
  const [first] = steps
  const base = first?.above === 0 ? first.amounts : own
  if (base.input === undefined || base.output === undefined) {
    about.notes.note('channel_model_pricing', textIn(row, 'id'), `have no price of input and output for ${name}`)
    return null
  }
  if (intervals.length > 1) about.notes.approximate('intervals', name)
  return written.prices(
    base,
    steps.filter(({ above }) => above > 0),
  )
}

/** An interval begins behind its least and ends with its most; where none is, the row's own prices hold. */
function stepsIn(
  intervals: readonly Row[],
  own: Amounts,
): readonly { readonly above: number; readonly amounts: Amounts }[] {
  const bound = (row: Row, column: string) => Number(integerIn(row, column) ?? 0n)
  const ordered = [...intervals].sort((a, b) => bound(a, 'min_tokens') - bound(b, 'min_tokens'))
  return ordered.flatMap((row, i) => {
    const above = bound(row, 'min_tokens')
    const end = bound(row, 'max_tokens')
    const next = ordered[i + 1]
    const isGap = end > above && (next === undefined || bound(next, 'min_tokens') > end)
    return [{ above, amounts: { ...own, ...amountsIn(row) } }, ...(isGap ? [{ above: end, amounts: own }] : [])]
  })
}

function amountsIn(row: Row): Amounts {
  return Object.fromEntries(
    Object.entries(TOKEN_COLUMNS).flatMap(([column, name]): (readonly [string, Rational])[] => {
      const usd = decimalIn(row, column)
      return usd === null ? [] : [[name, times(usd, NANO_OF_MILLION)]]
    }),
  )
}
