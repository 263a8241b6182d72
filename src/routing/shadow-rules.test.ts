import fc from 'fast-check'
import { expect, test } from 'vitest'
import { candidateByHand } from '../../test/support/candidate-by-hand.ts'
import { nanoUsd } from '../core/money.ts'
import { CREDENTIAL_SHADOWS, type CredentialShadow } from '../core/shadow-rules.ts'
import { chooseTarget } from './choose-target.ts'
import { CredentialUse } from './credential-use.ts'
import { SpendCap } from './spend-cap.ts'

const LIMITS = {
  maxConcurrency: 2,
  requestsPerMinute: 3,
  tokensPerMinute: 50,
  spendPerDay: nanoUsd(40n),
  expiresAt: null,
}
const FIELDS = {
  max_concurrency: 'maxConcurrency',
  requests_per_minute: 'requestsPerMinute',
  tokens_per_minute: 'tokensPerMinute',
  spend_per_day: 'spendPerDay',
} as const satisfies Record<CredentialShadow, keyof typeof LIMITS>
const NO_LIMITS = {
  maxConcurrency: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendPerDay: null,
  expiresAt: null,
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const) }),
  fc.record({ kind: fc.constant('end' as const), amount: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 20_000, 61_000, 86_400_000) }),
)

test.each(CREDENTIAL_SHADOWS)(
  'in shadow, %s of a credential says so when it would leave no room, and leaves it',
  (rule) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const time = { now: 0 }
        const clock = { now: () => time.now, elapsed: () => time.now }
        const limits = { ...NO_LIMITS, [FIELDS[rule]]: LIMITS[FIELDS[rule]] }
        const enforced = new CredentialUse(limits, clock)
        const inShadow = new CredentialUse({ ...limits, shadow: [rule] }, clock)
        for (const each of steps) {
          for (const use of [enforced, inShadow]) {
            if (each.kind === 'begin') use.begin(time.now)
            if (each.kind === 'end' && use.inFlight > 0) {
              use.end()
              use.used(each.amount, nanoUsd(BigInt(each.amount)))
            }
          }
          if (each.kind === 'wait') time.now += each.ms
          expect(inShadow.refusingInShadow(time.now)).toEqual(enforced.pause(time.now) === null ? [] : [rule])
          expect([inShadow.pause(time.now), inShadow.roomAt(time.now)]).toEqual([null, time.now])
          expect(inShadow.cap?.spentToday).toBe(enforced.cap?.spentToday)
        }
      }),
    )
  },
)

test('limits beside one in shadow are enforced, and several in shadow are each judged alone', () => {
  const clock = { now: () => 0, elapsed: () => 0 }
  const use = new CredentialUse({ ...LIMITS, shadow: ['max_concurrency', 'tokens_per_minute'] }, clock)
  for (let i = 0; i < 2; i++) use.begin(0)
  expect([use.refusingInShadow(0), use.pause(0)]).toEqual([['max_concurrency'], null])
  use.used(50, nanoUsd(0n))
  use.begin(0)
  expect([use.refusingInShadow(0), use.pause(0)]).toEqual([['max_concurrency', 'tokens_per_minute'], 'busy'])
})

test('routing chooses as if a cap in shadow were not there, and what is spent under it is counted', () => {
  const clock = { now: () => 0, elapsed: () => 0 }
  const cap = (isShadow: boolean) => new SpendCap(nanoUsd(5n), clock, { of: 'target', isShadow })
  const [shadow, real] = [cap(true), cap(false)]
  const [first, second] = [
    candidateByHand('a', { caps: [shadow] }),
    candidateByHand('b', { caps: [real], priority: 1 }),
  ]
  const choose = (candidates: readonly (typeof first)[]) =>
    chooseTarget(candidates, { now: 0, random: () => 0, affinity: null, callerId: null })
  for (const each of [first, second]) each.used(1, nanoUsd(9n))
  expect([shadow.spentToday, real.spentToday]).toEqual([9n, 9n])
  expect(choose([first, second])).toMatchObject({ kind: 'take', candidate: first })
  expect(first.refusingInShadow(0)).toEqual([{ rule: 'spend_per_day', of: 'target' }])
  expect([second.isShadowed, second.refusingInShadow(0), choose([second]).kind]).toEqual([false, [], 'rest'])
})

test('a candidate is in shadow by its credential alone, too', () => {
  const candidate = candidateByHand('a', { limits: { maxConcurrency: 1, shadow: ['max_concurrency'] } })
  candidate.begin(0)
  expect([candidate.isShadowed, candidate.mayBeAskedAt(0)]).toEqual([true, 0])
  expect(candidate.refusingInShadow(0)).toEqual([{ rule: 'max_concurrency', of: 'credential' }])
})
