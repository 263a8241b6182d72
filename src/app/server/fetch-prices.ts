import type { FetchedPrices, PriceFetchFailure } from '../../contract/price-fetch.ts'
import { CONNECT_TIMEOUT_MS, PRICE_FETCH_MS, PRICE_LIST_LIMIT_BYTES } from '../../core/limits.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { kindOfUnreachable, whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { askOnce, type OnceAnswer } from './ask-once.ts'
import { isPriceField } from '../../price-lists/litellm-fields.ts'
import { readFile } from 'node:fs/promises'
import { shippedPrices, type ShippedPrices } from '../../contract/price-catalogue.ts'

const BOUNDS = { limitMs: PRICE_FETCH_MS, limitBytes: PRICE_LIST_LIMIT_BYTES }

/**
 * Asks another server for its list of prices: once, without a credential, following no redirect. As with a test of an upstream,
 * an admin learns of an address whether it answers, and reads of what is there nothing but prices.
 *
 * @param url as `readPriceUrl` gives it
 */
export async function fetchPrices(url: string, { limitMs, limitBytes } = BOUNDS): Promise<FetchedPrices> {
  const { origin, pathname, search } = new URL(url)
  const client = new HttpUpstream({
    baseUrl: origin,
    headers: {},
    connectTimeoutMs: Math.min(limitMs, CONNECT_TIMEOUT_MS),
    maxConcurrency: null,
  })
  try {
    const answer = await askOnce(client, { path: pathname + search, headers: {} }, { limitMs, limitBytes })
    return { url, ...readAnswer(answer, { limitMs, limitBytes }) }
  } finally {
    await client.close()
  }
}

type Read = { readonly result: 'read'; readonly document: Record<string, unknown> } | Failed
interface Failed {
  readonly result: PriceFetchFailure
  readonly status: number | null
  readonly detail: string
}

function readAnswer(answer: OnceAnswer, { limitMs, limitBytes }: typeof BOUNDS): Read {
  if (answer.kind === 'late') {
    return { result: 'too_slow', status: null, detail: `It did not answer in full within ${limitMs / 1000} s.` }
  }
  if (answer.kind === 'failed') {
    return { result: kindOfUnreachable(answer.cause), status: null, detail: whyUnreachable(answer.cause) }
  }
  const { status, body, isCut } = answer
  const failed = (result: PriceFetchFailure, detail: string): Failed => ({ result, status, detail })
  if (status >= 300 && status < 400) {
    return failed('redirect', 'It redirects, and redirects are not followed: enter the final URL.')
  }
  if (status < 200 || status >= 300) return failed('status', `It answered with the status ${status}.`)
  if (isCut) return failed('too_large', `It has more than ${limitBytes / 1024 / 1024} MB.`)
  let parsed: unknown
  try {
    parsed = parseShallow(body)
  } catch {
    return failed('not_json', 'It answered with something else than JSON.')
  }
  const document = priceListIn(parsed)
  if (document === null) return failed('unknown_form', 'It is not a list of prices of Tollgate, models.dev or LiteLLM.')
  return { result: 'read', document }
}

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

/** The list that `tools/shipped-prices.ts` writes, as far from the sources as from what is compiled. */
const FILE = new URL('../../../docs/prices.json', import.meta.url)

let shipped: Promise<ShippedPrices | null> | undefined

/** The list prices that are shipped, read once when they are first asked for; null: the package is not whole. */
export function readShippedPrices(): Promise<ShippedPrices | null> {
  shipped ??= readFile(FILE, 'utf8').then(
    (text) => shippedPrices.parse(JSON.parse(text)),
    () => null,
  )
  return shipped
}
