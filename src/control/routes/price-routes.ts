import type { z } from '@hono/zod-openapi'
import { mustBe } from '../../core/must-be.ts'
import { shippedPrices } from '../../contract/price-catalogue.ts'
import { priceFetchAsked, priceFetched } from '../../contract/price-fetch.ts'
import { priceCalculated, priceCalculation } from '../../contract/price-calculation.ts'
import { CALL_KINDS, callsMade } from '../../core/calls.ts'
import { formatMultiplier, formatUsd, parseMultiplier } from '../../core/money.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { isChargeableMultiplier } from '../../metering/prices/price-bounds.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { existing, fieldProblem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { readPrices } from '../models/model-settings.ts'
import { priceLineViews } from '../views/usage-record-view.ts'

const route = routesOf('Catalogue')

const calculate = route('post /api/prices/calculate', {
  summary: 'Work out what a request would cost',
  description:
    'At prices that are given here, whether a model has them or not, as the gateway would charge them: by length, class of service, place and calls. Nothing is changed.',
  who: 'staff',
  limits: { isReadOnly: true },
  body: priceCalculation,
  answer: priceCalculated,
  example: { body: { price: { input: '2.50', output: '10' }, tokens: { input: 300_000, output: 2000 } } },
  async handle(call) {
    const { body } = call
    const multiplier = parseMultiplier(body.multiplier)
    if (!isChargeableMultiplier(multiplier)) {
      throw fieldProblem('multiplier', `multiplier must be at most ${formatMultiplier(BOUNDS.group.multiplier.most)}.`)
    }
    const prices = readPrices(body.price)
    if (prices === null) throw fieldProblem('price', 'price must have at least one amount.')
    const tokens = countsOf(body)
    const named = { tier: body.service_tier, geo: body.inference_geo }
    const applied = appliedPrices(prices, tokens, { asked: named, named })
    return {
      price_lines: priceLineViews(tokens, applied.prices, multiplier),
      cost: formatUsd(costOf(tokens, applied.prices, multiplier)),
      service_tier: applied.terms?.serviceTier ?? null,
      inference_geo: applied.terms?.inferenceGeo ?? null,
      above_input_tokens: applied.terms?.aboveInputTokens ?? null,
    }
  },
})

const readShipped = route('get /api/prices/catalogue', {
  summary: 'Read the list prices that are shipped with this version',
  description: 'In USD per million tokens, by provider and model, as of one day. No model here is changed by them.',
  who: 'staff',
  answer: shippedPrices,
  async handle(_, parts) {
    const shipped = existing(await parts.shippedPrices(), 'list of prices')
    return shipped
  },
})

const fetchList = route('post /api/prices/fetch', {
  summary: 'Read the prices of another Tollgate, or of a list at a URL',
  description:
    'Asks the URL once, without a credential, for JSON in the form of models.dev (as `/api.json` of a Tollgate has it) or of LiteLLM: at most 4 MB within 10 s, and redirects are not followed. No model here is changed. Nothing is kept but an audit entry with the origin of the URL. Returns 200 whatever the result.',
  who: 'prices',
  limits: { isRepeatable: false, asksAddress: true },
  body: priceFetchAsked,
  answer: priceFetched,
  example: { body: { url: 'https://tollgate.example.com' } },
  async handle(call, { fetchPrices }) {
    const url = readPriceUrl(call.body.url)
    if (url === null) throw fieldProblem('url', `url ${mustBe(PRICE_URL_FORM)}.`, { form: 'url' })
    // Before it is asked: who looked at which address is known, also where the answer never comes.
    await call.change((_, audit) => {
      const changes = { origin: { before: null, after: new URL(url).origin } }
      return audit({ action: 'prices.fetch', subject: null, accountId: null, changes })
    })
    return fetchPrices(url)
  },
})

export const priceRoutes: readonly ApiRoute[] = [calculate, readShipped, fetchList]

function countsOf({ tokens, units, calls }: z.output<typeof priceCalculation>): TokenCounts {
  const { output = 0, reasoning_output: reasoning = 0 } = tokens
  const { audio_input: audioInput = 0, image_input: imageInput = 0, audio_output: audioOutput = 0 } = tokens
  const hasOther = audioInput + imageInput + audioOutput > 0
  const { requests = 0, images = 0, seconds = 0, characters = 0 } = units
  const made = callsMade(Object.fromEntries(CALL_KINDS.map((kind) => [kind, calls[kind] ?? 0])))
  return {
    input: tokens.input ?? 0,
    cacheRead: tokens.cache_read ?? 0,
    cacheWrite: tokens.cache_write ?? 0,
    cacheWrite1h: tokens.cache_write_1h ?? 0,
    output: output + reasoning,
    reasoning,
    other: hasOther ? { audioInput, imageInput, audioOutput } : null,
    units: { requests, images, seconds, characters },
    ...(made === undefined ? {} : { calls: made }),
  }
}

/** The path at which a Tollgate has its prices. */
const PRICES_OF_TOLLGATE = '/api.json'

/** Where a list of prices is asked for; an address without a path is another Tollgate's. null: it cannot be asked. */
function readPriceUrl(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.pathname === '/' && url.search === '') url.pathname = PRICES_OF_TOLLGATE
  url.hash = ''
  return url.href
}

const PRICE_URL_FORM = 'an http or https URL without user name and password, such as https://tollgate.example.com'
