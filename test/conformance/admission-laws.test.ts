import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Subscription } from '../../src/access/subscription.ts'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import { NO_COUNTS } from '../../src/core/counted-limits.ts'
import type { AdmissionRequest, FundingSource } from '../../src/metering/admission/admission-request.ts'
import {
  accountSpendBudget,
  balanceBudget,
  keySpendBudget,
  subscriptionBudget,
} from '../../src/metering/budgets/budget.ts'
import type { Reservation } from '../../src/metering/admission/reservation.ts'
import type { Store } from '../../src/store/store.ts'
import { AdmissionModel, type ModelReservation } from './admission-model.ts'
import { NodeUnderTest } from './admission-node.ts'
import { aKey, aPosting, aSecret, fundedAccount, NOON, quotaOf } from './store-fixtures.ts'
import { ENGINES, newPlace, type Place, readBudget } from './store-under-test.ts'
import { runsInSuite } from '../support/run/suite.ts'

/** Longer than a refusal is remembered. */
const PAUSE_MS = 101

/** The limits of the key and of its account, or this part of them. */
function limitsOf(percent: bigint) {
  const part = (whole: bigint) => nanoUsd((whole * percent) / 100n)
  const spend = [
    { window: '5h', usd: part(3_000n) },
    { window: '1d', usd: part(7_000n) },
  ] as const
  const rateLimit = { ...NO_COUNTS, spend }
  const accountSpend = [
    { window: '5h', usd: part(2_500n) },
    { window: '7d', usd: part(9_000n) },
  ] as const
  return { rateLimit, quotaLimit: part(12_000n), accountSpend }
}

/** An account with a balance, two subscriptions, and every limit that is money on itself and on a key. */
async function aPlaceToSpend(store: Store, balance: bigint) {
  const account = await fundedAccount(store, '0.000000001')
  if (balance > 1n) {
    await store.ledger.post({ ...aPosting(account.id, '1'), amount: nanoUsd(balance - 1n) })
  }
  const { rateLimit: limitAtFirst, quotaLimit: quotaAtFirst } = limitsOf(100n)
  const created = aKey(account.id, { rateLimit: limitAtFirst, quotaLimit: quotaAtFirst, quotaReset: 'never' })
  await store.keys.create(created, aSecret())
  const key = await store.keys.findById(created.id)
  if (key === null) throw new Error('the key is there')
  /** Gives the key and the account this part of their limits. */
  const limit = async (percent: bigint) => {
    const { accountSpend: spend, ...ofKey } = limitsOf(percent)
    await store.keys.update({ ...key, ...ofKey })
    await store.accounts.update({ ...account, limits: { spend } }, null)
  }
  await limit(100n)
  const subscriptions = [
    aSubscription(account.id, [
      { window: '5h', usd: nanoUsd(1_500n) },
      { window: '7d', usd: nanoUsd(4_000n) },
    ]),
    aSubscription(account.id, [
      { window: '1d', usd: nanoUsd(1_000n) },
      { window: 'term', usd: nanoUsd(2_500n) },
    ]),
  ]
  for (const subscription of subscriptions) await store.subscriptions.open(subscription)
  /** What the key may spend, when its limits are this part of what they were. */
  const capsAt = (percent: bigint) => {
    const { rateLimit, quotaLimit, accountSpend } = limitsOf(percent)
    return [
      ...rateLimit.spend.map(({ window, usd }) => keySpendBudget(key.id, usd, window)),
      quotaOf(key.id, quotaLimit),
      ...accountSpend.map(({ window, usd }) => accountSpendBudget(account.id, usd, window)),
    ]
  }
  const sources: FundingSource[] = [
    ...subscriptions.map(({ id, quotas }) => ({
      subscriptionId: id,
      budgets: quotas.map(({ window, usd }) => subscriptionBudget(id, usd, window)),
    })),
    { subscriptionId: null, budgets: [balanceBudget(account.id)] },
  ]
  return { account, key, subscriptions, capsAt, limit, sources }
}

function aSubscription(accountId: string, quotas: Subscription['quotas']): Subscription {
  return {
    id: newId('sub', NOON),
    accountId,
    planId: 'pln_test',
    planName: 'pro',
    groupIds: ['grp_default'],
    opensGroups: true,
    quotas,
    startsAt: NOON,
    endsAt: NOON + 90 * 86_400_000,
    cancelledAt: null,
    createdAt: NOON,
  }
}

type Step =
  | {
      readonly kind: 'admit'
      readonly amount: number
      /** What it can do with, in percent of that, and from when on it leaves some to others; null: with no less. */
      readonly less: { readonly least: number; readonly comfortable: number } | null
      readonly isCapped: boolean
      readonly node: number
    }
  | { readonly kind: 'extend'; readonly which: number; readonly amount: number }
  | { readonly kind: 'settle'; readonly which: number; readonly percent: number }
  | { readonly kind: 'release'; readonly which: number }
  | { readonly kind: 'pass'; readonly hours: number }
  | { readonly kind: 'rest' }
  | { readonly kind: 'top_up'; readonly amount: number }
  | { readonly kind: 'limit'; readonly percent: number }

const which = fc.nat(20)
const amount = fc.integer({ min: 1, max: 1_200 })

function steps(mostPercent: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('admit' as const),
          amount: fc.oneof(amount, fc.integer({ min: 1, max: 9_000 })),
          less: fc.option(fc.record({ least: fc.integer({ min: 1, max: 100 }), comfortable: fc.nat(100) })),
          isCapped: fc.boolean(),
          node: fc.nat(2),
        }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('extend' as const), which, amount }) },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('settle' as const),
          which,
          percent: fc.integer({ min: 0, max: mostPercent }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 30 }) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'rest' as const }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('top_up' as const), amount }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('limit' as const), percent: fc.integer({ min: 0, max: 150 }) }),
      },
    ),
    { minLength: 10, maxLength: 50 },
  )
}

function lessOf({ amount: asked, less }: Extract<Step, { kind: 'admit' }>): Pick<AdmissionRequest, 'less'> {
  if (less === null) return {}
  const part = (percent: number) => nanoUsd((BigInt(asked) * BigInt(percent) + 99n) / 100n)
  return { less: () => ({ least: part(less.least), comfortable: part(less.comfortable) }) }
}

interface Running {
  readonly node: NodeUnderTest
  readonly real: Reservation
  readonly model: ModelReservation | null
}

describe.for(ENGINES)('the admission on %s', (engine) => {
  const time = { now: NOON, elapsed: 1_000 }
  let place: Place
  let store: Store
  beforeAll(async () => {
    place = await newPlace(engine)
    store = await place.open({ now: () => time.now, elapsed: () => time.elapsed })
  }, 120_000)
  afterAll(() => place.leave())

  test('one node admits, extends, charges and refuses exactly as the model says', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps(120), fc.bigInt({ min: 1n, max: 6_000n }), async (sequence, balance) => {
        time.now = NOON
        const { account, key, capsAt, limit, sources } = await aPlaceToSpend(store, balance)
        let caps = capsAt(100n)
        const node = new NodeUnderTest(store, time, newId('nod', NOON))
        const model = new AdmissionModel()
        model.open(balanceBudget(account.id), balance)
        let running: Running[] = []
        const pick = (index: number) => running[index % Math.max(1, running.length)]
        const drop = (gone: Running) => {
          running = running.filter((each) => each !== gone)
        }
        for (const step of sequence) {
          // Which of two limits that are used up is named depends on what is under way.
          await node.quiet()
          time.elapsed += PAUSE_MS
          time.now += PAUSE_MS
          if (step.kind === 'admit') {
            const asked = nanoUsd(BigInt(step.amount))
            const request = {
              key: { id: key.id, rateLimit: null },
              tokens: { input: 0, output: 0 },
              amount: asked,
              ...lessOf(step),
              caps: step.isCapped ? caps : [],
              sources,
            }
            const expected = model.admit(request, time.now)
            const real = await node.admit(request)
            if (typeof real === 'string' || typeof expected === 'string') expect(real).toBe(expected)
            else running.push({ node, real, model: expected })
          } else if (step.kind === 'pass') {
            time.now += step.hours * 3_600_000
          } else if (step.kind === 'limit') {
            caps = capsAt(BigInt(step.percent))
            await limit(BigInt(step.percent))
            await node.follow(key.id)
            await node.follow(account.id)
            for (const cap of caps) model.move(cap, time.now)
          } else if (step.kind === 'rest') {
            time.elapsed += 11_000
            await node.leases.maintain()
          } else if (step.kind === 'top_up') {
            const posting = { ...aPosting(account.id, '1'), amount: nanoUsd(BigInt(step.amount)) }
            await store.ledger.post(posting)
            const row = model.rows.get(balanceBudget(account.id).id)
            if (row !== undefined) row.limit += posting.amount
          } else {
            const chosen = pick(step.which)
            if (chosen?.model == null) continue
            // A window that is over gives what its lease has left, which only the node knows.
            const isOver = model.hasEnded(chosen.model, time.now)
            if (step.kind === 'extend' && isOver) continue
            if (step.kind === 'extend') {
              const more = nanoUsd(BigInt(step.amount))
              expect(await node.extend(chosen.real, more)).toEqual(model.extend(chosen.model, more, time.now))
            } else if (step.kind === 'release') {
              chosen.real.release('upstream_refused')
              model.release(chosen.model)
              drop(chosen)
            } else {
              const cost = nanoUsd((chosen.real.amount * BigInt(step.percent)) / 100n)
              const closing = await node.settle(chosen.real, cost, {
                accountId: account.id,
                keyId: key.id,
                nowMs: time.now,
              })
              const expected = model.settle(chosen.model, cost, time.now)
              drop(chosen)
              expect(closing.balancePaid).toBe(expected.paid.get(null) ?? 0n)
              expect(
                Object.fromEntries(closing.subscriptionsPaid.map((each) => [each.subscriptionId, each.paid])),
              ).toEqual(Object.fromEntries([...expected.paid].filter(([id]) => id !== null)))
            }
          }
        }
        for (const each of running) {
          each.real.release('upstream_refused')
          if (each.model !== null) model.release(each.model)
        }
        await node.leases.closeAll()
        for (const row of model.rows.values()) {
          const stored = await readBudget(place, row.id)
          // A window without a grant has no row yet.
          if (stored === undefined) expect(row.used).toBe(0n)
          else expect(stored).toMatchObject({ used: row.used, held: 0n, limit: row.limit })
        }
      }),
      { numRuns: runsInSuite(engine === 'sqlite' ? 60 : 30) },
    )
    const proof = await store.ledger.prove()
    expect(proof.disagreements).toEqual([])
  })

  test(
    'several nodes together never pass a limit, whatever dies on the way, and at rest nothing is held',
    { timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          steps(100),
          fc.bigInt({ min: 1n, max: 6_000n }),
          fc.nat(49),
          async (sequence, balance, deathAt) => {
            time.now = NOON
            const { account, key, capsAt, limit, sources } = await aPlaceToSpend(store, balance)
            let caps = capsAt(100n)
            let shut: ReadonlySet<string> = new Set()
            const ids = Array.from({ length: 3 }, () => newId('nod', NOON))
            const nodes = ids.map((id) => new NodeUnderTest(store, time, id))
            let running: Running[] = []
            let allowed = balance
            for (const [index, step] of sequence.entries()) {
              time.elapsed += PAUSE_MS
              time.now += PAUSE_MS
              if (index === deathAt) {
                // It dies with all that it runs; the others find out and close what it held.
                const [dead] = nodes
                running = running.filter((each) => each.node !== dead)
                await store.leases.closeOfNodes(ids.slice(0, 1))
                nodes[0] = new NodeUnderTest(store, time, newId('nod', NOON))
              }
              if (step.kind === 'admit') {
                const node = nodes[step.node]
                const request = {
                  key: { id: key.id, rateLimit: null },
                  tokens: { input: 0, output: 0 },
                  amount: nanoUsd(BigInt(step.amount)),
                  ...lessOf(step),
                  caps: step.isCapped ? caps : [],
                  sources,
                }
                const real = (await node?.admit(request)) ?? 'rate_limited'
                if (node !== undefined && typeof real !== 'string') {
                  running.push({ node, real, model: null })
                  expect(real.localBudgets.filter(({ row }) => row !== null && shut.has(row))).toEqual([])
                }
              } else if (step.kind === 'pass') {
                for (const node of nodes) await node.quiet()
                time.now += step.hours * 3_600_000
              } else if (step.kind === 'limit') {
                caps = capsAt(BigInt(step.percent))
                await limit(BigInt(step.percent))
                for (const node of nodes) await Promise.all([node.follow(key.id), node.follow(account.id)])
                // All nodes know, so nothing more begins on what is used up.
                const used = await place.sql(
                  `select id from budgets where used_nano >= limit_nano and subject_id in ('${key.id}', '${account.id}')
                   and kind <> 'balance'`,
                )
                shut = new Set(used.map(({ id }) => String(id)))
              } else if (step.kind === 'rest') {
                time.elapsed += 11_000
                for (const node of nodes) await node.leases.maintain()
              } else if (step.kind === 'top_up') {
                allowed += BigInt(step.amount)
                await store.ledger.post({ ...aPosting(account.id, '1'), amount: nanoUsd(BigInt(step.amount)) })
              } else {
                const chosen = running[step.which % Math.max(1, running.length)]
                if (chosen === undefined) continue
                if (step.kind !== 'extend') running = running.filter((each) => each !== chosen)
                if (step.kind === 'extend') await chosen.node.extend(chosen.real, nanoUsd(BigInt(step.amount)))
                else if (step.kind === 'release') chosen.real.release('upstream_refused')
                else {
                  const cost = nanoUsd((chosen.real.amount * BigInt(step.percent)) / 100n)
                  const about = { accountId: account.id, keyId: key.id, nowMs: time.now }
                  await chosen.node.settle(chosen.real, cost, about)
                }
              }
              const over = await place.sql(
                `select id from budgets where used_nano + held_nano > limit_nano + overrun_nano and subject_id in
             ('${account.id}', '${key.id}', ${sources.map((source) => `'${source.subscriptionId}'`).join(', ')})`,
              )
              expect(over).toEqual([])
            }
            for (const each of running) each.real.release('upstream_refused')
            for (const node of nodes) await node.leases.closeAll()
            expect(await readBudget(place, balanceBudget(account.id).id)).toMatchObject({
              limit: allowed,
              held: 0n,
              overrun: 0n,
            })
          },
        ),
        { numRuns: runsInSuite(engine === 'sqlite' ? 40 : 15) },
      )
      const proof = await store.ledger.prove()
      expect(proof.disagreements).toEqual([])
    },
  )
})
