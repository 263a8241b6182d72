import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey, NewKey } from '../../src/access/api-key.ts'
import type { ShownStatus } from '../../src/access/key-list.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { QUOTA_RESETS, quotaPeriod } from '../../src/core/quota-period.ts'
import { quotaBudgetOf } from '../../src/entitlement/funding.ts'
import { readStatuses, shownStatus } from '../../src/entitlement/key-status.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, aSecret, NOON } from './store-fixtures.ts'
import { inSuite } from '../support/run/suite.ts'
import { ENGINES, newPlace, type Place } from './store-under-test.ts'

/** What a generated key is made of. Amounts in nano-USD. */
interface Sketch {
  readonly isActive: boolean
  /** Milliseconds from the moment of the question; null: it never expires. */
  readonly expiresIn: number | null
  readonly limit: bigint | null
  readonly reset: NewKey['quotaReset']
  /** Charged in the period that runs; null: nothing yet, so there is no row. */
  readonly used: bigint | null
  /** Charged in a period of another kind that begins at the same time, and in the one before: neither counts. */
  readonly usedElsewhere: bigint
  /** What the limit was changed to since; `same` where it was not. */
  readonly newLimit: bigint | null | 'same'
}

const amount = fc.bigInt({ min: 0n, max: 4n })
const limit = fc.option(amount, { nil: null })
const sketch: fc.Arbitrary<Sketch> = fc.record({
  isActive: fc.boolean(),
  expiresIn: fc.option(fc.constantFrom(-86_400_000, -1, 0, 1, 86_400_000), { nil: null }),
  limit,
  reset: fc.constantFrom(...QUOTA_RESETS),
  used: fc.option(amount, { nil: null }),
  usedElsewhere: amount,
  newLimit: fc.oneof(fc.constant('same' as const), limit),
})

/** Also the first moments of a day, a week, a month and a year, where periods begin together. */
const moment = fc.constantFrom(
  NOON,
  Date.UTC(2026, 10, 23),
  Date.UTC(2027, 1, 1),
  Date.UTC(2027, 2, 1) - 1,
  Date.UTC(2027, 0, 1),
)

const STATUSES: readonly ShownStatus[] = ['active', 'disabled', 'expired', 'quota_exhausted']

describe.each(ENGINES)('the status of keys on %s', (engine) => {
  let place: Place
  let store: Store
  let now = NOON

  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open({ now: () => now, elapsed: () => performance.now() })
  })
  afterAll(() => place.leave())

  const insert = (rows: readonly string[]) =>
    place.sql(
      `insert into budgets (id, kind, subject_id, limit_nano, used_nano, held_nano, overrun_nano, overruns, entries)
       values ${rows.join(', ')}`,
    )

  /** The rows of a key's budgets, in the period that runs and in others. */
  const rowsOf = (keyId: string, { limit: drawn, reset, used, usedElsewhere }: Sketch): string[] => {
    const { startsAt } = quotaPeriod(reset, now)
    const row = (period: string, charged: bigint) =>
      `('key:${keyId}:${period}', 'key_quota', '${keyId}', ${drawn ?? 1n}, ${charged}, 0, 0, 0, 0)`
    const others = QUOTA_RESETS.filter((each) => each !== reset).map((each) => `${each}:${startsAt}`)
    return [
      ...(used === null ? [] : [row(`${reset}:${startsAt}`, used)]),
      ...[...others, `${reset}:${startsAt - 1}`].map((period) => row(period, usedElsewhere)),
    ]
  }

  const make = async (accountId: string, sketches: readonly Sketch[]): Promise<void> => {
    const made = sketches.map((drawn) => {
      const expiresAt = drawn.expiresIn === null ? null : now + drawn.expiresIn
      const quotaLimit = drawn.limit === null ? null : nanoUsd(drawn.limit)
      return { drawn, key: aKey(accountId, { expiresAt, quotaLimit, quotaReset: drawn.reset }) }
    })
    for (const { key } of made) await store.keys.create(key, aSecret())
    await insert(made.flatMap(({ key, drawn }) => rowsOf(key.id, drawn)))
    for (const { key, drawn } of made) {
      if (drawn.newLimit !== 'same') {
        const quotaLimit = drawn.newLimit === null ? null : nanoUsd(drawn.newLimit)
        await store.keys.edit(key.id, (before) => ({ ...before, quotaLimit }), now)
      }
      if (!drawn.isActive) await store.keys.setStatus(key.id, 'disabled', now)
    }
  }

  const statusOf = async (key: ApiKey): Promise<ShownStatus> => {
    const budget = quotaBudgetOf(key, now)
    const [quota] = budget === null ? [] : await store.budgets.states([budget], now)
    return shownStatus(key, quota ?? null, now)
  }

  test('is one rule: a list shows it, and its filter finds it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sketch, { minLength: 4, maxLength: 12 }), moment, async (sketches, at) => {
        now = at
        const account = anAccount()
        await store.accounts.create(account, null)
        await make(account.id, sketches)
        const order = { by: 'created_at', isDescending: true } as const
        const pageOf = (status?: ShownStatus) =>
          store.keys.page({ accountId: account.id, status }, { order, after: null, limit: 200 })
        const listed = (await pageOf()).keys
        expect(listed).toHaveLength(sketches.length)
        const expected = new Map<string, ShownStatus>()
        for (const { key } of listed) expected.set(key.id, await statusOf(key))
        expect(new Map(listed.map(({ key, status }) => [key.id, status]))).toEqual(expected)
        const keys = listed.map(({ key }) => key)
        expect(await readStatuses(keys, store.budgets, now)).toEqual([...expected.values()])
        for (const status of STATUSES) {
          const found = await pageOf(status)
          const ids = keys.filter(({ id }) => expected.get(id) === status).map(({ id }) => id)
          expect({ status, ids: found.keys.map(({ key }) => key.id), total: found.total }).toEqual({
            status,
            ids,
            total: ids.length,
          })
        }
      }),
      { numRuns: inSuite({ long: 25, short: 8 }) },
    )
  })
})
