import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longTest } from '../support/run/long-test.ts'
import { runsInSuite } from '../support/run/suite.ts'
import { fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace } from './store-under-test.ts'
import { A_RECORD, Books, DAY_MS, HOUR_MS, QUESTIONS } from './summed-books.ts'

const DAYS = 40

/** One record that settles: how long ago it began, and which of each it has. */
const settled = fc.record({
  kind: fc.constant('settle' as const),
  records: fc.array(
    fc.record({
      hoursAgo: fc.oneof(fc.nat(DAYS * 24), fc.nat(30)),
      account: fc.nat(3),
      model: fc.nat(2),
      group: fc.nat(2),
      cost: fc.nat(1_000),
      hasFailed: fc.boolean(),
      isInterrupted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})
const known = fc.record({ kind: fc.constant('known' as const) })
const asked = fc.record({
  kind: fc.constant('ask' as const),
  question: fc.nat(QUESTIONS.length - 1),
  hoursAgo: fc.nat(20 * 24),
  hours: fc.integer({ min: 1, max: 20 * 24 }),
  of: fc.nat(2),
})

describe.each(ENGINES)('sums of hours and days on %s', (engine) => {
  test('say what the sums over all records say, whatever settles late', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts = await Promise.all([0, 1, 2, 3].map(() => fundedAccount(store, '1')))
      const books = new Books(
        store,
        accounts.map(({ id }) => id),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof({ weight: 2, arbitrary: settled }, known, {
              weight: 3,
              arbitrary: asked,
            }),
            { minLength: 5, maxLength: 25 },
          ),
          async (steps) => {
            for (const step of steps) {
              if (step.kind === 'settle') await books.settle(step.records)
              else if (step.kind === 'known') await books.makeKnown()
              else await books.compare(step)
            }
          },
        ),
        { numRuns: runsInSuite(25), endOnFailure: true },
      )
    } finally {
      await place.leave()
    }
  })

  longTest('say the same of more accounts than are shown, whichever of them was there before', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts: string[] = []
      for (let i = 0; i < 620; i++) accounts.push((await fundedAccount(store, '1')).id)
      const books = new Books(store, accounts)
      // Each with a cost of its own; every seventh has two models, and every third was not there before.
      await books.settle(
        accounts.flatMap((_, account) => [
          { ...A_RECORD, hoursAgo: 2 + (account % 40), account, cost: 10_000 + 7 * account },
          ...(account % 7 === 0 ? [{ ...A_RECORD, hoursAgo: 5, account, model: 1, cost: 9_000 + account }] : []),
          ...(account % 3 === 0 ? [] : [{ ...A_RECORD, hoursAgo: 60, account, cost: 1 + account, hasFailed: true }]),
        ]),
      )
      const span = { fromMs: NOON - 2 * DAY_MS, toMs: NOON, where: {}, newest: 1_000 }
      const byAll = [['account'], ['account', 'model'], ['model', 'account'], ['account', 'group']] as const
      for (const by of byAll) await books.compareFor({ ...span, by })
      await books.compareFor({ ...span, by: ['account'], where: { model: 'model-0' } })
    } finally {
      await place.leave()
    }
  })

  test('are of the newest days where all accounts have more of them than are added up, and say since when', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts: string[] = []
      for (let i = 0; i < 6; i++) accounts.push((await fundedAccount(store, '1')).id)
      const books = new Books(store, accounts)
      // Six sums for each of four days, of which ten are added up for each request that would be summed one by one.
      const noons = [0, 1, 2, 3].map((days) => 24 * days + 1)
      await books.settle(
        noons.flatMap((hoursAgo) => accounts.map((_, account) => ({ ...A_RECORD, hoursAgo, account }))),
      )
      const midnight = NOON - 12 * HOUR_MS
      const query = { fromMs: midnight - DAY_MS, toMs: NOON, where: {}, by: ['account', 'model'] } as const
      const newest = async (count: number) => {
        const { sinceMs, total } = await store.usage.explore({ ...query, newest: count })
        return { sinceMs, requests: total.requests, before: total.before?.requests ?? null }
      }
      expect(await newest(3)).toEqual({ sinceMs: null, requests: 12, before: 6 })
      expect(await newest(2)).toEqual({ sinceMs: null, requests: 12, before: null })
      expect(await newest(1)).toEqual({ sinceMs: midnight, requests: 6, before: null })
      const ofOne = { ...query, where: { account: accounts[0] }, newest: 1 }
      expect(await store.usage.explore(ofOne)).toMatchObject({ sinceMs: null, total: { requests: 2 } })
      expect(await store.usage.explore({ ...query, by: ['model'], newest: 1 })).toMatchObject({ sinceMs: null })
    } finally {
      await place.leave()
    }
  })
})
