import { isPriceField } from '../../price-lists/litellm-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What a document in the form of models.dev or of LiteLLM says of prices and limits, in that form; null: it is in neither.
 * Nothing else of it is kept: an admin who names an address is not to read there what is not a list of prices.
 */
export function priceListIn(document: unknown): Fields | null {
  const entries = Object.entries(fieldsOf(document)).map(([name, value]) => [name, fieldsOf(value)] as const)
  if (entries.some(([, provider]) => 'models' in provider)) {
    return Object.fromEntries(entries.map(([id, { models }]) => [id, { models: modelsOfModelsDev(models) }]))
  }
  const models = entries.filter(([, model]) => 'input_cost_per_token' in model || 'litellm_provider' in model)
  return models.length === 0 ? null : Object.fromEntries(models.map(([name, model]) => [name, modelOfLitellm(model)]))
}

function modelsOfModelsDev(models: unknown): Fields {
  return Object.fromEntries(
    Object.entries(fieldsOf(models)).flatMap(([name, value]) => {
      const { cost, limit, tollgate } = fieldsOf(value)
      return cost === undefined ? [] : [[name, { cost, limit, tollgate }]]
    }),
  )
}

function modelOfLitellm(model: Fields): Fields {
  return Object.fromEntries(
    Object.entries(model).flatMap(([name, value]) => {
      if (BESIDE_PRICES.has(name)) return typeof value === 'object' ? [] : [[name, value]]
      return isPriceField(name) ? [[name, numbersIn(value, DEPTH)]] : []
    }),
  )
}

/** What else a price depends on. */
const BESIDE_PRICES: ReadonlySet<string> = new Set([
  'litellm_provider',
  'mode',
  'web_search_billing_unit',
  'max_input_tokens',
  'max_output_tokens',
])

/** How deep prices are nested in such a list: in a range of a tier. */
const DEPTH = 3

/** Numbers under their names, and amounts that are written as text; of anything else, that it is not an amount. */
function numbersIn(value: unknown, depth: number): unknown {
  if (typeof value === 'number' || (typeof value === 'string' && AMOUNT.test(value))) return value
  if (value === null) return null
  if (typeof value !== 'object' || depth === 0) return NO_AMOUNT
  if (Array.isArray(value)) return value.map((each: unknown) => numbersIn(each, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numbersIn(each, depth - 1)]))
}

const NO_AMOUNT = '?'

const AMOUNT = /^\d{1,12}(?:\.\d{1,30})?(?:e-?\d{1,3})?$/i

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
