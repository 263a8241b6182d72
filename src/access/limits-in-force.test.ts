import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SetLimits } from '../core/account-limits.ts'
import { nanoUsd } from '../core/money.ts'
import { limitsInForce, limitSources } from './limits-in-force.ts'

const NOW = 1_000_000

function selling(
  limits: SetLimits | undefined,
  over: { startsAt?: number; endsAt?: number; cancelledAt?: number } = {},
) {
  return { startsAt: NOW - 1, endsAt: NOW + 1, cancelledAt: null, ...over, ...(limits === undefined ? {} : { limits }) }
}

const nothing = { own: undefined, standard: undefined }
const usd = (amount: bigint) => nanoUsd(amount)

test('an account of which no source says anything has no limits, and nothing to look at', () => {
  expect(limitSources(undefined, undefined, [selling(undefined)])).toBeUndefined()
  expect(limitsInForce(nothing, [], NOW)).toEqual({
    concurrency: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spend: [],
    maxKeys: null,
    maxKeyValidityDays: null,
  })
})

test("each limit has one source: the account's own, else a running plan's, else the installation's; null is a value", () => {
  const sources = {
    own: { concurrency: null, maxKeys: 3 },
    standard: { concurrency: 1, requestsPerMinute: 2, tokensPerMinute: 3, maxKeys: 4 },
  }
  const plans = [selling({ requestsPerMinute: 20, maxKeys: 40 })]
  expect(limitsInForce(sources, plans, NOW)).toMatchObject({
    concurrency: null,
    requestsPerMinute: 20,
    tokensPerMinute: 3,
    maxKeys: 3,
  })
})

test('a plan that is over, cancelled or yet to begin says nothing', () => {
  const limits = { requestsPerMinute: 20 }
  const plans = [
    selling(limits, { endsAt: NOW }),
    selling(limits, { startsAt: NOW + 1 }),
    selling(limits, { cancelledAt: NOW - 1 }),
  ]
  expect(limitsInForce({ own: undefined, standard: { requestsPerMinute: 2 } }, plans, NOW).requestsPerMinute).toBe(2)
})

test('of several plans the most generous counts, limit by limit and window by window', () => {
  const plans = [
    selling({ concurrency: 2, tokensPerMinute: 7, spend: [{ window: '5h', usd: usd(5n) }] }),
    selling({
      concurrency: 9,
      requestsPerMinute: null,
      spend: [
        { window: '5h', usd: usd(8n) },
        { window: '1d', usd: usd(9n) },
      ],
    }),
    selling({ concurrency: 4, requestsPerMinute: 5 }),
  ]
  expect(limitsInForce(nothing, plans, NOW)).toMatchObject({
    concurrency: 9,
    requestsPerMinute: null,
    tokensPerMinute: 7,
    spend: [{ window: '5h', usd: 8n }],
  })
})

test('the order of the plans does not matter, and one more plan never takes anything away', () => {
  const limit = fc.option(fc.nat(5), { nil: null })
  const limits = fc.record({ concurrency: limit, maxKeys: limit }, { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(limits, { minLength: 1, maxLength: 4 }), limits, (some, more) => {
      const inForce = (sold: readonly SetLimits[]) =>
        limitsInForce(
          nothing,
          sold.map((each) => selling(each)),
          NOW,
        )
      expect(inForce(some.toReversed())).toEqual(inForce(some))
      for (const name of ['concurrency', 'maxKeys'] as const) {
        if (!some.some((each) => name in each)) continue
        expect(inForce([...some, more])[name] ?? Infinity).toBeGreaterThanOrEqual(inForce(some)[name] ?? Infinity)
      }
    }),
  )
})
