import type { ModelPrices } from '../../core/price-rules.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { ImportSettings } from '../import-settings.ts'
import { type Rational, rational, readRational, times } from '../rational.ts'
import { entriesOf } from '../source.ts'
import { type Amounts, WrittenAmounts } from '../written-amounts.ts'

/** USD per token there, nano-USD per million tokens here. */
const NANO_OF_MILLION = rational(1_000_000_000n * 1_000_000n)
const NANO = rational(1_000_000_000n)

const OF_TOKENS = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  input_cost_per_audio_token: 'audio_input',
  output_cost_per_audio_token: 'audio_output',
} as const
const OF_ONE = { output_cost_per_image: 'per_image', output_cost_per_second: 'per_second' } as const
/** Such as `input_cost_per_token_above_200k_tokens`. */
const ABOVE = /^(.+)_above_(\d{1,6})k_tokens$/
const COST = /_cost(?:_per)?(?:_|$)|_cost$/

type Fields = ReadonlyMap<string, unknown>

/**
 * The price of a model from the fields that say its cost; null where they say none, which is noted where a part of it cannot be
 * carried. What LiteLLM charges by prices that are built into it stands in no configuration: see `--pricing`.
 */
export function pricesOfFields(
  name: string,
  fields: Fields,
  about: { readonly settings: ImportSettings; readonly notes: ImportNotes },
): ModelPrices | null {
  const amounts = { ...amountsOf(fields, OF_TOKENS, NANO_OF_MILLION), ...amountsOf(fields, OF_ONE, NANO) }
  if (Object.keys(amounts).length === 0) return null
  const lengths = [...new Set([...fields.keys()].flatMap((field) => lengthIn(field) ?? []))].sort((a, b) => a - b)
  const left = [...fields].filter(([field, value]) => isLeftOut(field, value)).map(([field]) => field)
  if (left.length > 0) about.notes.note('model_list', name, `have ${left.join(', ')}, which is not carried`)
  return new WrittenAmounts(name, about).prices(
    amounts,
    lengths.map((thousands) => ({
      above: thousands * 1000,
      amounts: { ...amounts, ...amountsAbove(fields, thousands) },
    })),
  )
}

function amountsOf(fields: Fields, names: Readonly<Record<string, string>>, unit: Rational): Amounts {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const usd = usdIn(fields.get(field))
      return usd === null ? [] : [[name, times(usd, unit)]]
    }),
  )
}

function amountsAbove(fields: Fields, thousands: number): Amounts {
  const own = [...fields].flatMap(([field, value]) => {
    const [, plain = ''] = ABOVE.exec(field) ?? []
    return lengthIn(field) === thousands ? [[plain, value] as const] : []
  })
  return amountsOf(new Map(own), OF_TOKENS, NANO_OF_MILLION)
}

function lengthIn(field: string): number | null {
  const [, plain = '', thousands] = ABOVE.exec(field) ?? []
  return thousands !== undefined && Object.hasOwn(OF_TOKENS, plain) ? Number(thousands) : null
}

/** Written as a number or as text. */
function usdIn(value: unknown): Rational | null {
  return typeof value === 'number' || typeof value === 'string' ? readRational(String(value)) : null
}

/** A cost that is charged there, and has no field here. */
function isLeftOut(field: string, value: unknown): boolean {
  if (!COST.test(field) || lengthIn(field) !== null) return false
  if (Object.hasOwn(OF_TOKENS, field) || Object.hasOwn(OF_ONE, field)) return false
  const usd = usdIn(value)
  return usd !== null && usd.over !== 0n
}

/** LiteLLM's own list of prices (`model_prices_and_context_window.json`), by the names of models. */
export function listedPrices(pricing: unknown): (names: readonly string[]) => Fields | null {
  const listed = new Map(entriesOf(pricing))
  return (names) => {
    const name = names.find((each) => listed.has(each))
    return name === undefined ? null : new Map(entriesOf(listed.get(name)))
  }
}
