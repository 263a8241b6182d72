import { plus, type Rational, rational, times, NANO, NOTHING, ONE, numberOf } from '../rational.ts'
import { fieldIn, goodBody, mapsIn, noPrices, whyNot } from './source-word.ts'
import type { AskSource, SaidPrices, FixedUsage } from './source-word.ts'

const CHANNELS = '/api/v1/admin/channels'
const PAGE = 100
const PAGES_LIMIT = 50

type Sub2apiFields = ReadonlyMap<string, unknown>

/** The prices of sub2api: its channels have them by group, and its groups their multipliers. Both are for admins. */
export async function sub2apiPrices(ask: AskSource, adminKey: string | null): Promise<SaidPrices> {
  if (adminKey === null) return noPrices('prices: no key may read them; give the admin API key in IMPORT_VERIFY_KEY')
  const headers = { 'x-api-key': adminKey }
  const groupsAnswer = await ask('/api/v1/admin/groups/all', headers)
  const groups = mapsIn(fieldIn(goodBody(groupsAnswer), 'data'))
  const { channels, answer: channelsAnswer } = await channelsOf(ask, headers)
  if (groups.length === 0)
    return noPrices(`prices: its list of groups does not say them, since ${whyNot(groupsAnswer)}`)
  if (channels.length === 0)
    return noPrices(
      `prices: no channel says one (${whyNot(channelsAnswer)}), and it does not say those of its built-in list`,
    )
  const names = new Map(groups.map((group) => [String(group.get('id')), String(group.get('name'))]))
  const rates = new Map(groups.map((group) => [String(group.get('name')), numberOf(group.get('rate_multiplier'))]))
  const prices = pricesIn(channels, names)
  return {
    models: null,
    chargesOf(model, group, usage) {
      const place = isKnownGroup(group, rates) ? group : group.replace(/·.*$/, '')
      const price = prices.get(`${place}\n${model}`)
      const nano = price === undefined ? null : chargeOf(price, usage)
      const rate = rates.get(group) ?? null
      return nano === null ? null : [{ nano: times(nano, rate ?? ONE), unit: 1n, isMultiplied: rate !== null }]
    },
    unsaid: [
      'prices of its built-in list, of intervals and of pictures',
      'multipliers of single users: their prices are compared without one',
    ],
  }
}

async function channelsOf(ask: AskSource, headers: Readonly<Record<string, string>>) {
  const channels: Sub2apiFields[] = []
  for (let page = 1; ; page++) {
    const answer = await ask(`${CHANNELS}?page=${page}&page_size=${PAGE}`, headers)
    const data = fieldIn(goodBody(answer), 'data')
    const listed = mapsIn(Array.isArray(data) ? data : fieldIn(data, 'items'))
    channels.push(...listed)
    const total = fieldIn(data, 'total')
    const isLast = listed.length === 0 || typeof total !== 'number' || channels.length >= total
    if (isLast || page >= PAGES_LIMIT) return { channels, answer }
  }
}

function isKnownGroup(group: string, rates: ReadonlyMap<string, unknown>): boolean {
  return rates.has(group)
}

/** Prices by group and model. */
function pricesIn(
  channels: readonly Sub2apiFields[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, Sub2apiFields> {
  const prices = new Map<string, Sub2apiFields>()
  for (const channel of channels) {
    if (channel.get('status') === 'disabled') continue
    const ids = channel.get('group_ids')
    const groups = (Array.isArray(ids) ? ids : []).flatMap((id) => names.get(String(id)) ?? [])
    for (const price of mapsIn(channel.get('model_pricing'))) {
      const models = price.get('models')
      const named = (Array.isArray(models) ? models : []).map(String)
      for (const place of groups.flatMap((group) => named.map((model) => `${group}\n${model}`)))
        prices.set(place, price)
    }
  }
  return prices
}

/** null: it does not say, or in a way that is not computed here. */
function chargeOf(price: Sub2apiFields, { input, cacheRead, cacheWrite, output }: FixedUsage): Rational | null {
  const mode = price.get('billing_mode')
  const intervals = price.get('intervals')
  if (Array.isArray(intervals) && intervals.length > 0) return null
  if (mode === 'per_request') {
    const each = numberOf(price.get('per_request_price'))
    return each === null ? null : times(each, NANO)
  }
  if (mode !== undefined && mode !== 'token') return null
  const parts = [
    [input, numberOf(price.get('input_price'))],
    [cacheRead, numberOf(price.get('cache_read_price'))],
    [cacheWrite, numberOf(price.get('cache_write_price'))],
    [output, numberOf(price.get('output_price'))],
  ] as const
  if (parts.some(([count, each]) => count > 0 && each === null)) return null
  const usd = parts.reduce((sum, [count, each]) => plus(sum, times(rational(BigInt(count)), each ?? NOTHING)), NOTHING)
  return times(usd, NANO)
}
