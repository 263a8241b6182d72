import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poolByHand } from '../../test/support/candidate-by-hand.ts'
import type { Candidate } from './candidate.ts'
import { poolOf, sortOnce } from './candidate-pool.ts'
import { chooseTarget } from './choose-target.ts'
import type { ChoosingBy } from './choosing.ts'

const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)

function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

function sorted(candidates: readonly Candidate[]): readonly Candidate[] {
  sortOnce(candidates)
  return candidates
}

function fail(candidate: Candidate, now: number, restMs: number): void {
  candidate.begin(now)
  candidate.failed({ beganAt: now, now }, { failure: 'rate_limited', restMs, callerId: 'ada' })
  candidate.end()
}

const chosen = (candidates: readonly Candidate[], by: ChoosingBy) => {
  const choice = chooseTarget(candidates, by)
  return choice.kind === 'take' ? choice.candidate : null
}

const pools = fc.record({
  weights: fc.oneof(
    fc.array(fc.constantFrom(1, 2, 5), { minLength: 16, maxLength: 40 }),
    fc.array(fc.constant(1), { minLength: 16, maxLength: 40 }),
  ),
  ill: fc.array(fc.nat(39), { maxLength: 8 }),
  busy: fc.array(fc.nat(39), { maxLength: 40 }),
})

test('by affinity a large pool chooses whom the long way chooses, with some of them ill or busy', () => {
  fc.assert(
    fc.property(pools, fc.integer(), ({ weights, ill, busy }, affinity) => {
      const all = sorted(poolByHand('pool', names(weights.length), { weights, random: () => 0.99 }))
      for (const place of ill) if (all[place] !== undefined) fail(all[place], 0, 60_000)
      for (const place of busy) all[place]?.begin(1)
      const by = { now: 1_000, random: () => 0.99, affinity, callerId: null }
      expect(chosen(all, by)).toBe(chosen([...all], by))
    }),
  )
})

test('by chance each of a large pool that is well is chosen as often as its weight says, and one that rests is not', () => {
  const weights = names(20).map((_, i) => (i === 7 ? 5 : 1))
  const all = sorted(poolByHand('pool', names(20), { weights }))
  const [resting] = all
  if (resting === undefined) throw new Error('there is one')
  fail(resting, 0, 60_000)
  const by = { now: 1_000, random: numbers(11), affinity: null, callerId: null }
  const counts = new Map<Candidate | null, number>()
  for (let i = 0; i < 23_000; i++) {
    const one = chosen(all, by)
    counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  expect(counts.get(resting)).toBeUndefined()
  for (const each of all.slice(1)) {
    const share = (counts.get(each) ?? 0) / 1_000
    expect(Math.abs(share - (each === all[7] ? 5 : 1)), each.credentialName ?? '').toBeLessThan(0.35)
  }
})

test('who falls ill is left out from the next request on, and who is well again is back', () => {
  const all = sorted(poolByHand('pool', names(16), {}))
  const at = (now: number) => ({ now, random: () => 0.5, affinity: 42, callerId: null })
  const wanted = chosen(all, at(0))
  if (wanted === null) throw new Error('all are well')
  fail(wanted, 1, 10_000)
  expect(chosen(all, at(2))).not.toBe(wanted)
  wanted.isThere(20_000)
  wanted.succeeded(20_000)
  expect(chosen(all, at(20_001))).toBe(wanted)
  wanted.failed({ beganAt: 20_002, now: 20_002 }, { failure: 'credential', restMs: null, callerId: 'ada' })
  expect(chosen(all, at(20_003))).not.toBe(wanted)
  wanted.credential.adopt(null)
  expect(chosen(all, at(20_004))).toBe(wanted)
})

test('a tenth of the requests find out about those whose rest is over', () => {
  const all = sorted(poolByHand('pool', names(16), { random: () => 0.5 }))
  const [back] = all
  if (back === undefined) throw new Error('there is one')
  fail(back, 0, 2_000)
  const by = { now: 5_000, random: numbers(3), affinity: null, callerId: null }
  const asked = Array.from({ length: 5_000 }, () => chosen(all, by)).filter((each) => each === back).length
  expect(asked / 5_000).toBeGreaterThan(0.08)
  expect(asked / 5_000).toBeLessThan(0.12)
})

test('a credential whose limit is reached is passed by', () => {
  const all = sorted(poolByHand('pool', names(16), { limits: { maxConcurrency: 1 } }))
  const by = { now: 1_000, random: numbers(5), affinity: null, callerId: null }
  for (const each of all.slice(0, 10)) each.begin(0)
  for (let i = 0; i < 500; i++) expect(all.slice(10)).toContain(chosen(all, by))
})

test('a choice is plain, and says nothing of the others, where all are well and have room, and else names who may rest', () => {
  const by = { now: 1_000, random: numbers(5), affinity: null, callerId: null }
  const all = sorted(poolByHand('pool', names(16), { limits: { maxConcurrency: 1 } }))
  expect(chooseTarget(all, by)).toMatchObject({ isPlain: true })
  all[3]?.begin(0)
  const choice = chooseTarget(all, by)
  expect(choice.kind === 'take' && choice.isPlain).toBeUndefined()
  expect(choice.kind === 'take' ? choice.looked : []).toContain(all[3])
  const free = sorted(poolByHand('pool', names(16), {}))
  if (free[2] === undefined) throw new Error('there is one')
  fail(free[2], 0, 60_000)
  const ill = chooseTarget(free, by)
  expect(ill.kind === 'take' ? ill.looked : []).toEqual([free[2]])
})

test('small pools, and those with one of weight 0, are looked at one by one', () => {
  expect(poolOf(sorted(poolByHand('pool', names(15), {})))).toBeNull()
  const weights = names(16).map((_, i) => (i === 3 ? 0 : 1))
  expect(poolOf(sorted(poolByHand('pool', names(16), { weights })))).toBeNull()
  expect(poolOf(sorted(poolByHand('pool', names(16), {})))).not.toBeNull()
})
