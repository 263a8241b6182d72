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
  expect(limitSources(null, undefined, [selling(undefined)])).toBeUndefined()
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

test('a raise lifts what limits the account until its end, lowers nothing, and limits nothing that was not limited', () => {
  const limit = fc.option(fc.nat(9), { nil: null })
  const spend = fc
    .subarray(['5h', '1d', '7d'] as const)
    .chain((windows) =>
      fc.tuple(...windows.map((window) => fc.bigInt(0n, 9n).map((amount) => ({ window, usd: usd(amount) })))),
    )
  const limits = fc.record(
    { concurrency: limit, requestsPerMinute: limit, maxKeys: limit, spend },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.tuple(limits, limits, limits), limits, ([own, standard, sold], more) => {
      const at = (nowMs: number, raise?: SetLimits) => {
        const sources = { own, standard, ...(raise === undefined ? {} : { raise: { limits: raise, endsAt: NOW } }) }
        return limitsInForce(sources, [selling(sold, { startsAt: 0, endsAt: 2 * NOW })], nowMs)
      }
      const lasting = at(NOW)
      expect(at(NOW, more)).toEqual(lasting)
      const raised = at(NOW - 1, more)
      for (const name of ['concurrency', 'requestsPerMinute', 'maxKeys'] as const) {
        const wanted = more[name] === undefined ? 0 : (more[name] ?? Infinity)
        expect(raised[name] ?? Infinity).toBe(Math.max(lasting[name] ?? Infinity, wanted))
      }
      for (const { window, usd: amount } of lasting.spend) {
        const left = raised.spend.find((each) => each.window === window)
        if (more.spend?.length === 0) expect(left).toBeUndefined()
        else {
          const wanted = more.spend?.find((each) => each.window === window)?.usd ?? usd(0n)
          expect(left?.usd).toBe(wanted > amount ? wanted : amount)
        }
      }
      expect(raised.spend.every(({ window }) => lasting.spend.some((each) => each.window === window))).toBe(true)
    }),
  )
})
