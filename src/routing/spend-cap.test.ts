import { expect, test } from 'vitest'
import type { Candidate } from './candidate.ts'
import { candidateByHand, poolByHand } from '../../test/support/candidate-by-hand.ts'
import { nanoUsd } from '../core/money.ts'
import { sortOnce } from './candidate-pool.ts'
import { chooseTarget, passedOverBy, whyPassedOver } from './choose-target.ts'
import { SpendCap } from './spend-cap.ts'

const MINUTE = 60_000
const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 23, 23, 59)
const BY = { now: 0, random: () => 0, affinity: null, callerId: null }

function capAt(perDay: bigint) {
  const time = { now: BEFORE_MIDNIGHT }
  return { time, cap: new SpendCap(nanoUsd(perDay), { now: () => time.now, elapsed: () => 0 }) }
}

function capped(name: string, caps: readonly SpendCap[]): Candidate {
  return candidateByHand(name, { caps })
}

test('what has cost what it may is asked again at midnight UTC, and no sooner where nothing else is left', () => {
  const { time, cap } = capAt(10n)
  const candidate = capped('a', [cap])
  candidate.used(5, nanoUsd(9n))
  expect(candidate.mayBeAskedAt(0)).toBe(0)
  candidate.used(5, nanoUsd(9n))
  expect([candidate.mayBeAskedAt(0), candidate.mayBeTriedAt(0)]).toEqual([MINUTE, MINUTE])
  expect(chooseTarget([candidate], BY)).toMatchObject({ kind: 'rest', at: MINUTE })
  expect(candidate.restsBecause(0)).toBe('spend_cap')
  time.now += MINUTE
  expect(candidate.mayBeAskedAt(0)).toBe(0)
  expect(cap.spentToday).toBe(0n)
})

test('a target keeps to its own cap and to that of its upstream, which its neighbours spend as well', () => {
  const [whole, own] = [capAt(10n).cap, capAt(10n).cap]
  const [one, other] = [capped('a', [whole, own]), capped('a', [whole])]
  one.used(1, nanoUsd(6n))
  expect(whole.spentToday + own.spentToday).toBe(12n)
  other.used(1, nanoUsd(4n))
  expect([one.mayBeAskedAt(0), other.mayBeAskedAt(0)]).toEqual([MINUTE, MINUTE])
})

test('another target is taken where one has reached its cap, which is named as the reason', () => {
  const { cap } = capAt(1n)
  const [spent, spare] = [capped('spent', [cap]), candidateByHand('spare', { priority: 1 })]
  spent.used(1, nanoUsd(1n))
  const all = [spent, spare]
  expect(chooseTarget(all, BY)).toMatchObject({ kind: 'take', candidate: { target: { upstreamId: 'spare' } } })
  expect(whyPassedOver(spent, passedOverBy(spare, all, BY))).toEqual({ reason: 'cap', restSeconds: 60 })
})

test('of a large pool whose target has reached its cap none is asked', () => {
  const { cap } = capAt(1n)
  const names = Array.from({ length: 20 }, (_, i) => `c${i}`)
  const pool = poolByHand('a', names, { caps: [cap] })
  sortOnce(pool)
  expect(chooseTarget(pool, { ...BY, affinity: 7 })).toMatchObject({ kind: 'take' })
  pool[0]?.used(1, nanoUsd(1n))
  expect(chooseTarget(pool, { ...BY, affinity: 7 })).toMatchObject({ kind: 'rest', at: MINUTE })
})

test('a cap of nothing is reached before anything is spent', () => {
  const { cap } = capAt(0n)
  expect([cap.isReached, cap.usedPart]).toEqual([true, 1])
})
