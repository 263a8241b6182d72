import { expect, test } from 'vitest'
import { drawnFrom } from '../../../test/support/import-sources/new-api-source.ts'
import {
  oldCharge,
  type OldCard,
  type OldInterval,
  type OldListed,
  type OldRequest,
  type OldUsage,
} from '../../../test/support/import-sources/sub2api-charges.ts'
import { planFrom } from '../../../test/support/import-sources/sub2api-plan.ts'
import { accountRow, ADA, groupRow, inGroups, keyIn } from '../../../test/support/import-sources/sub2api-rows.ts'
import { NO_TERMS } from '../../core/terms.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { appliedPrices } from '../../metering/prices/applied-prices.ts'
import { costOf } from '../../metering/prices/cost.ts'
import { floorOf, type Rational, rational, times } from '../rational.ts'

const CASES = 1_000
/** Longer prompts that are cheaper there have no price here, and some tables have neither input nor output. */
const LEAST_SOLD = 650

const draw = drawnFrom(0x5ab2)
const oneOf = <Value>(...values: readonly Value[]): Value => values[draw(values.length)] as Value
/** USD of a token: up to twelve decimals. */
const price = () => `0.${String(draw(90_000_000) + 1).padStart(12, '0')}`
const maybe = (make: () => string, among = 3) => (draw(among) === 0 ? null : make())

function drawnInterval(min: number, max: number | null): OldInterval {
  const byFactor = draw(3) === 0
  return {
    min,
    max,
    input: byFactor ? null : price(),
    output: byFactor ? null : maybe(price),
    read: maybe(price),
    write: maybe(price, 2),
    inputTimes: byFactor ? oneOf('1.5', '2', '3.25') : null,
    outputTimes: byFactor ? oneOf('1', '1.5', '2') : null,
  }
}

function drawnCard(): OldCard {
  const mode = oneOf<OldCard['mode']>('token', 'token', 'token', 'token', 'per_request')
  const bounds = oneOf(
    [],
    [],
    [[0, null]],
    [[0, 1_000]],
    [[2_000, null]],
    [
      [0, 1_000],
      [1_000, 5_000],
      [5_000, null],
    ],
  )
  return {
    mode,
    input: maybe(price, 5),
    output: maybe(price, 5),
    read: maybe(price),
    write: maybe(price),
    // To the nano-USD, which is the finest price of a request here.
    once: mode === 'token' ? null : `0.${String(draw(90_000_000) + 1).padStart(9, '0')}`,
    fast: maybe(() => oneOf('1.8', '2.5'), 2),
    flex: maybe(() => oneOf('0.5', '0.75'), 2),
    intervals: mode === 'token' ? bounds.map(([min, max]) => drawnInterval(min ?? 0, max ?? null)) : [],
  }
}

function tenths(usd: string, count: number): string {
  return `0.${String(BigInt(usd.slice(2)) * BigInt(count)).padStart(13, '0')}`
}

function drawnListed(): OldListed {
  const input = price()
  return {
    input,
    output: price(),
    read: maybe(price),
    write: maybe(price),
    hour: maybe(price),
    // A multiple of one decimal, so that no price of it is finer than can be written here.
    priority: maybe(() => tenths(input, oneOf(13, 17, 25))),
    longAbove: oneOf(null, 3_000),
  }
}

function drawnRequest(): OldRequest {
  const card = draw(4) === 0 ? null : drawnCard()
  const platform = oneOf<OldRequest['platform']>('openai', 'anthropic')
  return {
    card,
    listed: card === null || draw(2) === 0 ? drawnListed() : null,
    isLong: draw(2) === 0,
    multiplier: oneOf('1', '1.25', '0.3333', '2.5'),
    tier: platform === 'openai' ? oneOf('default', 'priority', 'flex') : oneOf('default', 'fast'),
    platform,
    usage: drawnUsage(),
  }
}

function drawnUsage(): OldUsage {
  const write = oneOf(0, draw(3_000))
  return {
    input: draw(oneOf(900, 6_000)),
    output: draw(2_000),
    read: oneOf(0, draw(3_000)),
    write,
    hours: write === 0 ? 0 : draw(write),
  }
}

async function importedFrom({ card, listed, isLong, multiplier, platform }: OldRequest) {
  const group = { platform, rate_multiplier: multiplier, long_context_pricing_enabled: isLong ? 't' : 'f' }
  const row = {
    id: '1',
    channel_id: '1',
    platform,
    models: '["m"]',
    billing_mode: card?.mode ?? 'token',
    input_price: card?.input ?? null,
    output_price: card?.output ?? null,
    cache_read_price: card?.read ?? null,
    cache_write_price: card?.write ?? null,
    per_request_price: card?.once ?? null,
    fast_multiplier: card?.fast ?? null,
    flex_multiplier: card?.flex ?? null,
  }
  const pricing = {
    ...(listed === null
      ? {}
      : {
          m: {
            input_cost_per_token: Number(listed.input),
            output_cost_per_token: Number(listed.output),
            ...(listed.read === null ? {} : { cache_read_input_token_cost: Number(listed.read) }),
            ...(listed.write === null ? {} : { cache_creation_input_token_cost: Number(listed.write) }),
            ...(listed.hour === null ? {} : { cache_creation_input_token_cost_above_1hr: Number(listed.hour) }),
            ...(listed.priority === null ? {} : { input_cost_per_token_priority: Number(listed.priority) }),
            ...(listed.longAbove === null
              ? {}
              : {
                  long_context_input_token_threshold: listed.longAbove,
                  long_context_input_cost_multiplier: 2,
                  long_context_output_cost_multiplier: 1.5,
                }),
          },
        }),
    another: { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 },
  }
  return planFrom(
    {
      users: [ADA],
      api_keys: [keyIn('1')],
      groups: [groupRow('1', group)],
      accounts: [accountRow('1', { model_mapping: { m: 'm' } }, { platform })],
      account_groups: inGroups('1', '1'),
      channels: [{ id: '1', name: 'c' }],
      channel_groups: [{ id: '1', channel_id: '1', group_id: '1' }],
      channel_model_pricing: card === null ? [] : [row],
      channel_pricing_intervals: (card?.intervals ?? []).map((each, i) => ({
        id: String(i + 1),
        pricing_id: '1',
        min_tokens: String(each.min),
        max_tokens: each.max === null ? null : String(each.max),
        input_price: each.input,
        output_price: each.output,
        cache_read_price: each.read,
        cache_write_price: each.write,
        input_multiplier: each.inputTimes,
        output_multiplier: each.outputTimes,
      })),
    },
    { pricing, accept: ['price'] },
  )
}

/** The charge in nano-USD, rounded up once as every charge is; null: the model has no price here. */
async function chargedHere(request: OldRequest): Promise<bigint | null> {
  const { models, groups } = await importedFrom(request)
  const prices = models[0]?.prices
  const [group] = groups
  if (prices == null || group === undefined) return null
  const { input, output, read, write, hours } = request.usage
  const tokens = {
    ...NO_TOKENS,
    input,
    output,
    cacheRead: read,
    cacheWrite: write - hours,
    cacheWrite1h: hours,
    units: { requests: 1, images: null, seconds: null, characters: null },
  }
  const named = { ...NO_TERMS, tier: request.tier }
  const { prices: applied, isUnpriced } = appliedPrices(prices, tokens, { asked: named, named })
  if (isUnpriced) return null
  // A price of a request stands in place of those of tokens.
  const isOfRequest = request.card !== null && request.card.mode !== 'token'
  return costOf(isOfRequest ? { ...NO_TOKENS, units: tokens.units } : tokens, applied, group.multiplier)
}

test('a request costs what sub2api takes for it, by random tables of prices and random usages', async () => {
  let sold = 0
  for (let i = 0; i < CASES; i++) {
    const request = drawnRequest()
    const charged = await chargedHere(request)
    if (charged === null) continue
    sold += 1
    const there: Rational = times(oldCharge(request), rational(1_000_000_000n))
    // Rounded up here, and to ten nano-USD there. What it is to the nano-USD is the same.
    const exact = there.over % there.under === 0n ? floorOf(there) : floorOf(there) + 1n
    if (charged !== exact) expect({ i, request, charged }).toEqual({ i, request, charged: exact })
  }
  expect(sold).toBeGreaterThan(LEAST_SOLD)
})
