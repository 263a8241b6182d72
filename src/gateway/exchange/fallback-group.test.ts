import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balance, gateway, plan, settle, START } from '../../../test/support/admission-by-hand.ts'
import type { LeasesInMemory } from '../../../test/support/leases-in-memory.ts'
import type { Group } from '../../access/group.ts'
import type { Subscription } from '../../access/subscription.ts'
import { Fault } from '../../core/faults.ts'
import { nanoUsd, ONE_PPM, type PartsPerMillion } from '../../core/money.ts'
import { fundingOf } from '../../entitlement/funding.ts'
import { protocolOf } from '../../protocols/protocol-of.ts'
import { type ExchangeContext, ExchangeState } from './state.ts'
import { switchGroup, reserveInGroup } from './reservations.ts'
import { admissionOf, costOfTokens, outputHeld } from './hold.ts'
import type { PreparedRequest, ChosenModel } from '../request/prepared.ts'

// What a request may cost in the group that it goes on in is held before it does.

const PLAN: Subscription = {
  id: 'sub_1',
  accountId: 'acc_1',
  planId: 'pln_1',
  planName: 'pro',
  groupIds: ['covered'],
  opensGroups: true,
  quotas: [{ window: '5h', usd: nanoUsd(5_000n) }],
  startsAt: START - 1,
  endsAt: START + 3_600_000,
  cancelledAt: null,
  createdAt: 0,
}

/** So long a request that arrives would wait for money that others hold. */
const DAYS_MS = 1e9

const prices = {
  input: nanoUsd(1_000_000n),
  output: nanoUsd(2_000_000n),
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

function chosenIn(id: string, times: number): ChosenModel {
  const multiplier = (BigInt(times) * ONE_PPM) as PartsPerMillion
  const model = { id: 'm', name: 'm', maxOutputTokens: 4_000, contextTokens: 9_000, targets: [], prices }
  return { model, prices, targets: [], group: { id, name: id, multiplier } as Group } as unknown as ChosenModel
}

function caller(hasPlan: boolean) {
  const key = { id: 'key_1', rateLimit: null, quotaLimit: null, quotaReset: 'never', fallbackGroupIds: [] }
  return { key, account: { id: 'acc_1' }, subscriptions: hasPlan ? [PLAN] : [] } as unknown as PreparedRequest['caller']
}

interface Case {
  readonly funds: number
  readonly from: { readonly id: string; readonly times: number }
  readonly to: { readonly id: string; readonly times: number }
  readonly hasPlan: boolean
  readonly stream: boolean
  readonly ignoresLimits: boolean
  readonly maxTokens: number
  readonly written: number
}

/** A request in its first group that goes on in another, as far as its money is concerned; null: it was not admitted. */
async function played(of: Case, before: (store: LeasesInMemory) => void = () => {}) {
  const { store, admission, limits } = gateway({ patienceMs: DAYS_MS })
  store.open(balance, BigInt(of.funds))
  store.open(plan, 5_000n)
  const [from, to] = [chosenIn(of.from.id, of.from.times), chosenIn(of.to.id, of.to.times)]
  const who = caller(of.hasPlan)
  const body = Buffer.from(JSON.stringify({ model: 'm', stream: of.stream, max_tokens: of.maxTokens, messages: [] }))
  const head = protocolOf('anthropic-messages').readRequest(body)
  const by = { heldInputTokens: 100, heldOutputTokens: 500, ignoresLimits: of.ignoresLimits }
  const request = admissionOf({ body, head, chosen: from, caller: who }, { ...by, nowMs: START })
  let reservation
  try {
    reservation = await admission.admit(request)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
  const hold = outputHeld({ body, head, chosen: from }, { held: reservation.amount, asked: request.amount }, by)
  const clock = { now: () => START, elapsed: () => 0 }
  const prepared = { caller: who, body, head, chosen: from, hold, reservation, affinity: null }
  const context = { prepared, parts: { admission, clock }, trace: {} } as unknown as ExchangeContext
  const state = new ExchangeState(context)
  before(store)
  const held = await reserveInGroup(state, to)
  return { store, admission, limits, state, reservation, held, to, body, head, hold }
}

const groups = fc.record({ id: fc.constantFrom('covered', 'plain'), times: fc.integer({ min: 0, max: 6 }) })
const cases: fc.Arbitrary<Case> = fc.record({
  funds: fc.integer({ min: 1, max: 30_000 }),
  from: groups,
  to: groups,
  hasPlan: fc.boolean(),
  stream: fc.boolean(),
  ignoresLimits: fc.boolean(),
  maxTokens: fc.integer({ min: 1, max: 5_000 }),
  written: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('whatever it goes on in, an answer within its limit costs no more than is held there, by those who pay there', async () => {
  let entered = 0
  let changed = 0
  const law = async (of: Case): Promise<void> => {
    const world = await played(of)
    if (world === null) return
    const { store, state, reservation, held, to, hold, head } = world
    if (held === null) {
      expect(reservation.isOpen).toBe(true)
      reservation.release('upstream_refused')
    } else {
      entered += 1
      switchGroup(state, { chosen: to, affinity: null }, held)
      if (held !== reservation) changed += 1
      expect([held.isOpen, reservation.isOpen]).toEqual([true, held === reservation])
      const allowed = Math.min(hold.tokens, (hold.limit ?? head.outputTokensLimit ?? 4_000) * head.choices)
      const output = Math.floor(allowed * of.written)
      const cost = costOfTokens(state.request, { input: head.estimatedInputTokens, output })
      if (to.group.multiplier > 0n) expect(cost).toBeLessThanOrEqual(held.amount)
      const { balancePaid, subscriptionsPaid } = settle(store, held, cost)
      const isRaised = of.hasPlan && to.group.id === 'covered'
      if (!isRaised) expect([balancePaid, subscriptionsPaid]).toEqual([cost, []])
    }
    // Nothing is used that was not there, and nothing stays reserved.
    expect(store.overrun).toBe(0n)
    for (const row of store.rows.values()) expect(row.used).toBeLessThanOrEqual(row.limit)
    for (const budget of held?.allLocalBudgets ?? reservation.allLocalBudgets) expect(budget.reserved).toBe(0n)
  }
  await fc.assert(fc.asyncProperty(cases, law), { numRuns: 1_000 })
  expect(entered).toBeGreaterThan(200)
  expect(changed).toBeGreaterThan(20)
})

const PLAIN: Case = {
  funds: 30_000,
  from: { id: 'plain', times: 1 },
  to: { id: 'plain', times: 3 },
  hasPlan: false,
  stream: true,
  ignoresLimits: false,
  maxTokens: 1_000,
  written: 1,
}

test('what is lacking is held by the same budgets, and what the next group costs less stays held', async () => {
  const dearer = await played(PLAIN)
  expect(dearer?.held).toBe(dearer?.reservation)
  expect(dearer?.held?.amount).toBeGreaterThanOrEqual(6_000n)
  const cheaper = await played({ ...PLAIN, from: { id: 'plain', times: 3 }, to: { id: 'plain', times: 1 } })
  expect(cheaper?.held?.amount).toBeGreaterThanOrEqual(6_000n)
  expect((await played({ ...PLAIN, funds: 4_000 }))?.held).toBeNull()
})

test('a group that there is too little money for is left out at once, though the request itself holds some', async () => {
  const world = await played({ ...PLAIN, funds: 3_000, hasPlan: true, to: { id: 'covered', times: 6 } })
  expect(world?.held).toBeNull()
  expect(world?.reservation.amount).toBeGreaterThan(2_000n)
})

test.for(['plain', 'covered'])('a database that does not answer leaves the next group out (%s)', async (id) => {
  const of = { ...PLAIN, hasPlan: true, to: { id, times: 20 } }
  const world = await played(of, (store) => {
    store.trouble = 'silent'
  })
  expect(world?.held).toBeNull()
  expect(world?.reservation.isOpen).toBe(true)
})

test('a plan that covers the next group pays there, and the money that was held by the balance is free', async () => {
  const world = await played({ ...PLAIN, hasPlan: true, to: { id: 'covered', times: 1 } })
  if (world?.held == null) throw new Error('the plan pays for it')
  const { held, reservation, state, to, store } = world
  expect(held).not.toBe(reservation)
  switchGroup(state, { chosen: to, affinity: null }, held)
  expect(reservation.isOpen).toBe(false)
  expect(reservation.allLocalBudgets.map(({ reserved }) => reserved)).toEqual([0n])
  expect(settle(store, held, 2_000n)).toMatchObject({ balancePaid: 0n, subscriptionsPaid: [{ paid: 2_000n }] })
  expect(fundingOf(state.request.caller, 'plain', START).sources).toHaveLength(1)
})
