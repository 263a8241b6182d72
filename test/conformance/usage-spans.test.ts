import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { A_RECORD, Books, DAY_MS, filling, HOUR_MS, QUESTIONS } from './span-books.ts'
import { fundedAccount, NOON } from './store-fixtures.ts'
import { ENGINES, newPlace } from './store-under-test.ts'
import { longTest } from '../support/run/long-test.ts'
import { runsInSuite } from '../support/run/suite.ts'

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
const filled = fc.record({
  kind: fc.constant('fill' as const),
  window: fc.nat(3),
  /** After so many writes the process is killed; null: it is not. */
  killedAfter: fc.option(fc.nat(12)),
  /** Something settles in the midst of it. */
  settlesAfter: fc.option(fc.nat(12)),
})
const known = fc.record({ kind: fc.constant('known' as const) })
const asked = fc.record({
  kind: fc.constant('ask' as const),
  question: fc.nat(QUESTIONS.length - 1),
  hoursAgo: fc.nat(20 * 24),
  hours: fc.integer({ min: 1, max: 20 * 24 }),
  of: fc.nat(2),
})

describe.each(ENGINES)('sums of closed spans on %s', (engine) => {
  test('say what the sums over all records say, whatever settles late and whenever what makes them is killed', async () => {
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
            fc.oneof({ weight: 2, arbitrary: settled }, { weight: 2, arbitrary: filled }, known, {
              weight: 3,
              arbitrary: asked,
            }),
            {
              minLength: 5,
              maxLength: 25,
            },
          ),
          async (steps) => {
            for (const step of steps) {
              if (step.kind === 'settle') await books.settle(step.records)
              else if (step.kind === 'fill') await books.fill(step)
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
      const records = accounts.flatMap((_, account) => [
        { ...A_RECORD, hoursAgo: 2 + (account % 40), account, cost: 10_000 + 7 * account },
        ...(account % 7 === 0 ? [{ ...A_RECORD, hoursAgo: 5, account, model: 1, cost: 9_000 + account }] : []),
        ...(account % 3 === 0 ? [] : [{ ...A_RECORD, hoursAgo: 60, account, cost: 1 + account, hasFailed: true }]),
      ])
      // Earlier, those that cost most had the cheapest rows: half of it by each of two models.
      const halves = accounts.flatMap((_, account) =>
        account < 600
          ? [0, 1].map((model) => ({ ...A_RECORD, hoursAgo: 200, account, model, cost: 5_000 + account - 100 * model }))
          : [{ ...A_RECORD, hoursAgo: 200, account, cost: 9_000 + account - 600 }],
      )
      await books.settle([...records, ...halves])
      const earlier = { fromMs: NOON - 10 * DAY_MS, toMs: NOON - 7 * DAY_MS, where: {}, newest: 1_000 }
      await books.compareFor({ ...earlier, by: ['account', 'model'] })
      const span = { fromMs: NOON - 2 * DAY_MS, toMs: NOON, where: {}, newest: 1_000 }
      const byAll = [['account'], ['account', 'model'], ['model', 'account'], ['account', 'group']] as const
      for (const by of byAll) await books.compareFor({ ...span, by })
      await books.compareFor({ ...span, by: ['account'], where: { model: 'model-0' } })
      for (const atMs of [NOON, NOON - 9 * DAY_MS]) await store.usage.spans.fillWindow(atMs, filling())
      for (const by of byAll) await books.compareFor({ ...span, by })
      for (const by of byAll) await books.compareFor({ ...earlier, by })
    } finally {
      await place.leave()
    }
  })

  test('say what the dearest row of an account can have cost, and who has none to show is not looked at', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts: string[] = []
      for (let i = 0; i < 100; i++) accounts.push((await fundedAccount(store, '1')).id)
      const books = new Books(store, accounts)
      // Four days, of which the first is not asked for.
      const block = Math.floor((NOON - 9 * DAY_MS) / (4 * DAY_MS)) * 4 * DAY_MS
      const of = { fromMs: block + DAY_MS, toMs: block + 4 * DAY_MS, where: {}, newest: 1_000 }
      const at = (hour: number) => ({ ...A_RECORD, hoursAgo: (NOON - block) / HOUR_MS - hour })
      // Of 75 the seven models and groups are shown. Ten have one dear row, and fifteen cost more, but not by any one row.
      const ten = accounts.slice(75, 85)
      const sevenFrom = (cost: number) => Array.from({ length: 7 }, (_, model) => cost + model)
      const rowsOf = (account: number): readonly number[] => {
        if (account < 75) return sevenFrom(10_000 + 7 * account)
        return account < 85 ? [15_000 + account, 1] : sevenFrom(9_000 + 7 * account)
      }
      const costs = accounts.flatMap((_, account) =>
        rowsOf(account).map((cost, model) => ({ ...at(48), account, model, group: model, cost })),
      )
      const beside = ten.map((_, nr) => ({ ...at(12), account: 75 + nr, model: 1, group: 1, cost: 20_000 }))
      await books.settle([...costs, ...beside, at(60), at(80)])
      const compare = async () => {
        for (const part of ['model', 'group'] as const) await books.compareFor({ ...of, by: ['account', part] })
      }
      await store.usage.spans.fillWindow(block, filling())
      await compare()
      const hidden = ['other_models_nano', 'other_groups_nano'].map((column) => `${column} = cost_nano - 1`).join(', ')
      await place.change([`update usage_account_spans set ${hidden} where account_id in ('${ten.join("', '")}')`])
      expect((await store.usage.explore({ ...of, by: ['account', 'model'] })).rows[0]?.charged).toBe(10_524n)
      expect((await store.usage.explore({ ...of, by: ['account', 'group'] })).rows[0]?.charged).toBe(10_524n)
      await books.settle([{ ...at(48), cost: 1, model: 7, group: 7 }])
      await compare()
      await store.usage.spans.fillWindow(block, filling())
      await compare()
    } finally {
      await place.leave()
    }
  })

  longTest('are all looked at where more accounts may have the dearest row than are looked at one by one', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts: string[] = []
      for (let i = 0; i < 1_001; i++) accounts.push((await fundedAccount(store, '1')).id)
      const books = new Books(store, accounts)
      // On each of two days another model is the dearest: together these may be one of twice its cost. Of the last there is one.
      const halves = accounts
        .slice(1)
        .flatMap((_, account) =>
          [30, 54].map((hoursAgo, model) => ({ ...A_RECORD, hoursAgo, account, model, group: model, cost: 6_000 })),
        )
      await books.settle([...halves, { ...A_RECORD, hoursAgo: 30, account: 1_000, cost: 9_000 }])
      const of = { fromMs: NOON - 3 * DAY_MS, toMs: NOON, where: {}, newest: 1_000 }
      await store.usage.spans.fillWindow(NOON, filling())
      for (const part of ['model', 'group'] as const) {
        expect((await store.usage.explore({ ...of, by: ['account', part] })).rows[0]?.charged).toBe(9_000n)
      }
    } finally {
      await place.leave()
    }
  })

  test('say the same of a time that long spans stick out of, and nothing of who was there only beside it', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const accounts = await Promise.all([0, 1, 2, 3].map(() => fundedAccount(store, '1')))
      const books = new Books(
        store,
        accounts.map(({ id }) => id),
      )
      const windowAt = Math.floor((NOON - 20 * DAY_MS) / (16 * DAY_MS)) * 16 * DAY_MS
      const atHour = (hour: number) => ({ ...A_RECORD, hoursAgo: (NOON - windowAt) / HOUR_MS - hour - 1 })
      await books.settle([
        ...Array.from({ length: 16 * 24 }, (_, hour) => ({ ...atHour(hour), cost: hour })),
        ...[3, 26, 29].map((hour) => ({ ...atHour(hour), account: 1, model: 1, group: 1, cost: hour })),
        ...[356, 380].map((hour) => ({ ...atHour(hour), account: 3, cost: hour })),
        ...[28, 100, 355].map((hour) => ({ ...atHour(hour), account: 2, model: 2, cost: hour, hasFailed: true })),
      ])
      const span = { fromMs: windowAt + 30 * HOUR_MS, toMs: windowAt + 355 * HOUR_MS }
      const answers = async () => {
        for (const [by, narrow] of QUESTIONS) {
          const where = Object.fromEntries(narrow.map((each) => [each, `${each}-0`]))
          await books.compareFor({ ...span, by, where, newest: 1_000 })
          const before = { fromMs: span.toMs, toMs: 2 * span.toMs - span.fromMs }
          await books.compareFor({ ...before, by, where, newest: 1_000 })
        }
        const margins = (['model', 'upstream', 'fault'] as const).map((split) =>
          store.usage.margins({ ...span, split }),
        )
        return { margins: await Promise.all(margins), models: await store.usage.answersByModel(span.fromMs) }
      }
      const ofHours = await answers()
      await store.usage.spans.fillWindow(windowAt, filling())
      expect(await answers()).toEqual(ofHours)
    } finally {
      await place.leave()
    }
  })

  test('are what is read: rows of a span that is good stand for its hours, and those of one that is not do not', async () => {
    const place = await newPlace(engine)
    try {
      const store = await place.open()
      const account = await fundedAccount(store, '1')
      const books = new Books(store, [account.id])
      const charged = async () => {
        const query = { by: ['account'], where: {}, fromMs: NOON - 3 * DAY_MS, toMs: NOON, newest: 1_000 } as const
        return (await store.usage.explore(query)).total.charged
      }
      await books.settle([{ ...A_RECORD, hoursAgo: 30, cost: 5 }])
      await store.usage.spans.fillWindow(NOON - 2 * DAY_MS, filling())
      await store.usage.spans.fillWindow(NOON, filling())
      await place.change(['update usage_account_spans set cost_nano = cost_nano + 70'])
      expect(await charged()).toBe(75n)
      await books.settle([{ ...A_RECORD, hoursAgo: 30, cost: 1 }])
      expect(await charged()).toBe(6n)
      await store.usage.spans.fillWindow(NOON - 2 * DAY_MS, filling())
      await store.usage.spans.fillWindow(NOON, filling())
      expect(await charged()).toBe(6n)
      expect(await store.usage.spans.fillWindow(NOON, filling())).toBe(0)
    } finally {
      await place.leave()
    }
  })
})
