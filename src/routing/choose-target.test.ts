import { expect, test } from 'vitest'
import { candidateByHand as candidate, poolByHand } from '../../test/support/candidate-by-hand.ts'
import type { Candidate } from './candidate.ts'
import { sortOnce } from './candidate-pool.ts'
import { chooseTarget, isPlainChoice } from './choose-target.ts'
import { affinityHash } from './equals.ts'
import type { FailureClass } from './failure-class.ts'

function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

function fail(failing: Candidate, now: number, what: FailureClass | { asksFor: number }): void {
  const [failure, restMs] = typeof what === 'string' ? [what, null] : (['rate_limited', what.asksFor] as const)
  failing.begin(now)
  failing.failed({ beganAt: now, now }, { failure, restMs, callerId: 'ada' })
  failing.end()
}

const by = (now: number, affinity: number | null = null) => ({ now, random: numbers(7), affinity, callerId: null })

function chosen(candidates: readonly Candidate[], about: ReturnType<typeof by> & { isRetry?: boolean }): string {
  const choice = chooseTarget(candidates, about)
  return choice.kind === 'take' ? choice.candidate.target.upstreamId : choice.kind
}

/** How often each is chosen of 10,000. */
function shares(candidates: readonly Candidate[], about: ReturnType<typeof by>): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(candidates.map(({ target }) => [target.upstreamId, 0]))
  for (let i = 0; i < 10_000; i++) {
    const name = chosen(candidates, about)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

test('the lowest priority number with one that is well comes first', () => {
  const [first, second] = [candidate('first'), candidate('second', { priority: 1 })]
  expect(chosen([second, first], by(0))).toBe('first')
  fail(first, 0, 'unreachable')
  expect(chosen([second, first], by(10))).toBe('second')
  expect(chosen([second, first], by(1_000))).toBe('first')
})

test('a dead one is not asked beside one of a later priority that is well', () => {
  const [dead, spare] = [candidate('dead'), candidate('spare', { priority: 9 })]
  let asked = 0
  for (let now = 0; now < 600_000; now += 100) {
    if (chosen([dead, spare], by(now)) !== 'dead') continue
    asked += 1
    fail(dead, now, 'unreachable')
  }
  // Rests of 1, 2, 4 … 60, 60 s.
  expect(asked).toBe(15)
})

/** Lets the first events of these come after so long. */
function answersAfter(ms: number, ...candidates: readonly Candidate[]): void {
  for (const each of candidates) {
    each.begin(0)
    each.answered(0, ms)
    each.succeeded(0)
    each.end()
  }
}

test.for([
  { weights: [3, 1], share: 0.75, from: 'haproxy/haproxy#1099' },
  { weights: [1, 9], share: 0.1, from: 'envoyproxy/ai-gateway#854' },
  { weights: [80, 20], share: 0.8, from: 'BerriAI/litellm#41072' },
  { weights: [97, 3], share: 0.97, from: 'spring-cloud/spring-cloud-gateway#3117' },
])(
  'weights of $weights are shares, whichever is the quicker ($from)',
  ({ weights: [first = 1, second = 1], share }) => {
    for (const [slow, quick] of [
      [2_000, 20],
      [20, 2_000],
      [40, 20],
    ] as const) {
      const [a, b] = [candidate('a', { weight: first }), candidate('b', { weight: second })]
      answersAfter(slow, a)
      answersAfter(quick, b)
      const part = (shares([a, b], by(10_000))['a'] ?? 0) / 10_000
      expect(Math.abs(part - share)).toBeLessThan(0.02)
    }
  },
)

test('of three, those of one weight compete for the share of both, and the third keeps its own', () => {
  const [half, slow, quick] = [candidate('half', { weight: 2 }), candidate('slow'), candidate('quick')]
  answersAfter(2_000, half, slow)
  answersAfter(20, quick)
  const counts = shares([half, slow, quick], by(10_000))
  expect((counts['half'] ?? 0) / 10_000).toBeCloseTo(0.5, 1)
  expect((counts['quick'] ?? 0) / 10_000).toBeGreaterThan(0.34)
  expect(counts['slow']).toBeGreaterThan(1_000)
})

test('conversations are shared by weight as well, whichever is the quicker', () => {
  const [a, b] = [candidate('a', { weight: 3 }), candidate('b')]
  answersAfter(2_000, a)
  answersAfter(20, b)
  let ofA = 0
  for (let i = 0; i < 4_000; i++) if (chosen([a, b], by(10_000, affinityHash(`conversation ${i}`))) === 'a') ofA += 1
  expect(Math.abs(ofA / 4_000 - 0.75)).toBeLessThan(0.03)
})

/** How often each credential is chosen of 6,000. */
function sharesOfCredentials(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const about = by(10_000)
  for (let i = 0; i < 6_000; i++) {
    const choice = chooseTarget(candidates, about)
    const name =
      choice.kind === 'take' ? `${choice.candidate.target.upstreamId} ${choice.candidate.credentialName}` : ''
    counts.set(name, (counts.get(name) ?? 0) + 1 / 6_000)
  }
  return counts
}

test('of three credentials that are alike but for some milliseconds each has a third', () => {
  const pool = poolByHand('up', ['a', 'b', 'c'])
  for (const [place, each] of pool.entries()) answersAfter(18 + 4 * place, each)
  for (const share of sharesOfCredentials(pool).values()) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.03)
})

test('credentials of unequal weights have their shares, also beside a target that is better or worse than theirs', () => {
  for (const other of [20, 200, 5_000]) {
    const pool = poolByHand('up', ['a', 'b'], { weights: [0.75, 0.25] })
    const [a, b] = pool
    if (a === undefined || b === undefined) throw new Error('there are two')
    answersAfter(2_000, a)
    answersAfter(20, b)
    const beside = candidate('beside')
    answersAfter(other, beside)
    const found = sharesOfCredentials([...pool, beside])
    const [ofA = 0, ofB = 0] = [found.get('up a'), found.get('up b')]
    expect(Math.abs(ofA / (ofA + ofB) - 0.75), `beside one that takes ${other} ms`).toBeLessThan(0.04)
  }
})

test('a target with many credentials has no larger share than one of its weight with one (modelplaneai/modelplane#349)', () => {
  const pool = poolByHand(
    'many',
    Array.from({ length: 9 }, (_, i) => `${i}`),
  )
  const all = [...pool, candidate('one')]
  expect((shares(all, by(0))['one'] ?? 0) / 10_000).toBeCloseTo(0.5, 1)
})

test('a large pool keeps the shares of unequal weights as well', () => {
  const weights = Array.from({ length: 20 }, (_, i) => (i === 0 ? 19 : 1))
  const pool = poolByHand(
    'up',
    Array.from({ length: 20 }, (_, i) => `${i}`),
    { weights },
  )
  sortOnce(pool)
  answersAfter(2_000, ...pool.slice(0, 1))
  answersAfter(20, ...pool.slice(1))
  expect(Math.abs((sharesOfCredentials(pool).get('up 0') ?? 0) - 0.5)).toBeLessThan(0.03)
})

test('of two that are as quick the less busy one is asked', () => {
  const [busy, free] = [candidate('busy'), candidate('free')]
  answersAfter(20, busy, free)
  for (let i = 0; i < 8; i++) busy.begin(0)
  const counts = shares([busy, free], by(10_000))
  expect((counts['busy'] ?? 0) / 10_000).toBeCloseTo(0.25, 1)
})

test('a worse one is chosen less, and never starved', () => {
  const [good, bad] = [candidate('good'), candidate('bad')]
  fail(bad, 0, 'failed')
  const counts = shares([good, bad], by(10))
  expect((counts['bad'] ?? 0) / 10_000).toBeCloseTo(0.25, 1)
})

test('one that fails half of the time gets few requests, whatever its priority and affinity, as long as there is another', () => {
  const [ill, spare] = [candidate('ill'), candidate('spare', { priority: 1 })]
  fail(ill, 0, 'failed')
  fail(ill, 1, 'failed')
  for (const affinity of [null, 7]) {
    const counts = shares([ill, spare], by(10, affinity))
    expect((counts['ill'] ?? 0) / 10_000).toBeCloseTo(0.1, 1)
  }
  expect(chosen([ill, candidate('dead')], { ...by(10), random: () => 0.99 })).toBe('dead')
  expect(chosen([ill], by(10))).toBe('ill')
})

test('preferred ones come before others of their priority, and those of weight 0 last', () => {
  const other = candidate('other', { weight: 9 })
  const same = candidate('same', { isPreferred: true })
  const spare = candidate('spare', { weight: 0, isPreferred: true })
  const all = [spare, other, same]
  expect(shares(all, by(0))).toEqual({ spare: 0, other: 0, same: 10_000 })
  fail(same, 0, 'unreachable')
  expect(chosen(all, by(1))).toBe('other')
  fail(other, 1, 'unreachable')
  expect(chosen(all, by(2))).toBe('spare')
})

test('when all rest it says which comes back first, and when', () => {
  const [a, b] = [candidate('a'), candidate('b', { priority: 1 })]
  fail(a, 0, { asksFor: 30_000 })
  fail(b, 0, { asksFor: 20_000 })
  expect(chooseTarget([a, b], by(100))).toEqual({ kind: 'rest', candidate: b, at: 20_000 })
  expect(chooseTarget([], by(100))).toEqual({ kind: 'none' })
})

test('where all rest by our own guess, one is asked all the same, each once a second', () => {
  const all = [candidate('a'), candidate('b')]
  for (const each of all) for (const now of [0, 1_000, 3_000]) fail(each, now, 'unreachable')
  const choice = chooseTarget(all, by(4_000))
  expect(choice.kind).toBe('take')
  if (choice.kind === 'take') choice.candidate.begin(4_000)
  const second = chooseTarget(all, by(4_000))
  if (second.kind === 'take') second.candidate.begin(4_000)
  expect(chooseTarget(all, by(4_001)).kind).toBe('rest')
})

test('a single target that fails is left alone for its second, and asked once then', () => {
  const only = candidate('only')
  fail(only, 0, 'unreachable')
  expect(chosen([only], by(500))).toBe('rest')
  expect(chosen([only], by(1_000))).toBe('only')
  only.begin(1_000)
  expect(chosen([only], by(1_001))).toBe('rest')
})

test('with one of eight well, a tenth of the requests ask those that rest, and all others the one that is well', () => {
  const all = Array.from({ length: 8 }, (_, i) => candidate(`t${i}`))
  for (const each of all.slice(1)) for (const now of [0, 1_000, 3_000]) fail(each, now, 'unreachable')
  const counts = shares(all, { ...by(4_000), random: numbers(11) })
  expect((counts['t0'] ?? 0) / 10_000).toBeCloseTo(0.9, 1)
  expect(counts['rest'] ?? 0).toBe(0)
})

test.for([
  ['5 of 20 usable none', 5, false, 0],
  ['4 of 20 usable a tenth', 4, false, 0.1],
  ['5 of 20 usable, sorted as a large pool, none', 5, true, 0],
  ['4 of 20 usable, sorted as a large pool, a tenth', 4, true, 0.1],
] as const)(
  'with %s of the requests ask those that rest: it takes fewer than one in four',
  ([, usable, isSorted, part]) => {
    const all = Array.from({ length: 20 }, (_, i) => candidate(`t${i}`))
    for (const each of all.slice(usable)) for (const now of [0, 1_000, 3_000]) fail(each, now, 'unreachable')
    if (isSorted) sortOnce(all)
    const counts = shares(all, { ...by(4_000), random: numbers(11) })
    const asked = all.slice(usable).reduce((sum, { target }) => sum + (counts[target.upstreamId] ?? 0), 0)
    if (part === 0) expect(asked).toBe(0)
    else expect(asked / 10_000).toBeCloseTo(part, 1)
  },
)

test('one request finds out by its first attempt whether a refused credential is taken again, and no other attempt does', () => {
  const pool = poolByHand('main', ['one', 'two', 'three'])
  const spare = candidate('spare', { priority: 1 })
  for (const each of pool) fail(each, 0, 'credential')
  const all = [...pool, spare]
  expect(chosen(all, by(60_000))).toBe('main')
  expect(chosen(all, { ...by(60_000), isRetry: true })).toBe('spare')
  expect(chosen([...pool.slice(1), spare], { ...by(60_000, 7), isRetry: true })).toBe('spare')
  // Where none is well, any is asked.
  expect(chosen(pool, { ...by(60_000), isRetry: true })).toBe('main')
})

test.for([
  ['4 credentials that rest', 4, 'rate_limited'],
  ['4 credentials that are held', 4, 'credential'],
  ['20 credentials that rest', 20, 'rate_limited'],
  ['20 credentials that are held', 20, 'credential'],
] as const)('of a pool of %s each gets a request a second at most, however many there are', ([, size, failure]) => {
  const names = Array.from({ length: size }, (_, i) => `c${i}`)
  const pool = poolByHand('main', names, { random: () => 0 })
  sortOnce(pool)
  for (const each of pool) fail(each, 0, failure)
  const askedAt = new Map(pool.map((each) => [each, 0]))
  const random = numbers(5)
  const underWay: { candidate: Candidate; beganAt: number }[] = []
  let asked = 0
  for (let now = 5; now < 120_000; now += 5) {
    while (underWay[0] !== undefined && underWay[0].beganAt <= now - 2_500) {
      const { candidate: failing, beganAt } = underWay[0]
      underWay.shift()
      failing.failed({ beganAt, now }, { failure, restMs: null, callerId: 'ada' })
      failing.end()
    }
    const choice = chooseTarget(pool, { ...by(now), random })
    if (choice.kind !== 'take') continue
    asked += 1
    expect(now - (askedAt.get(choice.candidate) ?? 0)).toBeGreaterThanOrEqual(1_000)
    askedAt.set(choice.candidate, now)
    choice.candidate.begin(now)
    underWay.push({ candidate: choice.candidate, beganAt: now })
  }
  expect(asked).toBeGreaterThan(size)
})

test('where one is held and the other busy, the busy one is what to wait for', () => {
  const [held, busy] = [candidate('held'), candidate('busy')]
  fail(held, 0, 'credential')
  fail(busy, 0, { asksFor: 120_000 })
  expect(chooseTarget([held, busy], by(100))).toEqual({ kind: 'rest', candidate: busy, at: 120_000 })
})

test('an upstream whose credential is refused is asked every ten seconds at most, and only where no other is well', () => {
  const [held, other] = [candidate('held'), candidate('other')]
  fail(held, 0, 'credential')
  expect(chosen([held, other], by(30_000))).toBe('other')
  fail(other, 9_000, { asksFor: 60_000 })
  expect(chosen([held, other], by(9_999))).toBe('rest')
  expect(chosen([held, other], by(10_000))).toBe('held')
  expect(chosen([held], by(10_000))).toBe('held')
  held.begin(10_000)
  expect(chosen([held], by(19_999))).toBe('rest')
  fail(held, 10_000, 'credential')
  expect(chosen([held, other], by(70_000))).toBe('other')
})

test('where one is held and the other has expired, the held one is what to wait for: the other never comes back', () => {
  const held = candidate('held')
  const [expired] = poolByHand('expired', ['old'], { limits: { expiresAt: -1 } })
  if (expired === undefined) throw new Error('a pool of one has one')
  fail(held, 0, 'credential')
  expect(chooseTarget([expired, held], by(100))).toEqual({ kind: 'rest', candidate: held, at: 10_000 })
})

test('requests that belong together go to one target, and few of them move when another leaves', () => {
  const all = Array.from({ length: 8 }, (_, i) => candidate(`t${i}`))
  const keys = Array.from({ length: 1_000 }, (_, i) => affinityHash(`conversation ${i}`))
  const before = keys.map((key) => chosen(all, by(0, key)))
  expect(keys.map((key) => chosen(all, by(0, key)))).toEqual(before)
  const sizes = Object.values(Object.groupBy(before, (name) => name)).map((names) => names?.length ?? 0)
  expect(Math.max(...sizes)).toBeLessThan(1.5 * 125)
  const after = keys.map((key) => chosen(all.slice(1), by(0, key)))
  expect(after.filter((name, i) => name !== before[i]).length).toBe(before.filter((name) => name === 't0').length)
})

test('affinity gives way to one that is busier than the others', () => {
  const all = Array.from({ length: 4 }, (_, i) => candidate(`t${i}`))
  const key = affinityHash('all of them')
  const counts = new Map<string, number>()
  for (let i = 0; i < 400; i++) {
    const choice = chooseTarget(all, by(0, key))
    if (choice.kind !== 'take') continue
    choice.candidate.begin(0)
    const { upstreamId } = choice.candidate.target
    counts.set(upstreamId, (counts.get(upstreamId) ?? 0) + 1)
  }
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(1.25 * 100 + 2)
})

test('a choice that is called plain among equals is so: all are well and none is too busy', () => {
  const random = numbers(11)
  let plain = 0
  for (let round = 0; round < 2_000; round++) {
    const all = poolByHand('up', ['a', 'b', 'c', 'd'], { random })
    for (const each of all) {
      for (let busy = Math.floor(random() * 3); busy > 0; busy--) each.begin(0)
      const failure = random() < 0.5 ? ('rate_limited' as const) : ('failed' as const)
      if (random() < 0.1) each.failed({ beganAt: 0, now: 0 }, { failure, restMs: null, callerId: 'c' })
    }
    const affinity = random() < 0.7 ? Math.floor(random() * 1e9) : null
    const about = { now: 1, random, affinity, callerId: null }
    const choice = chooseTarget(all, about)
    if (choice.kind !== 'take' || choice.isPlain === undefined) continue
    plain += 1
    expect(isPlainChoice(choice.candidate, all, about)).toBe(true)
  }
  expect(plain).toBeGreaterThan(500)
})
