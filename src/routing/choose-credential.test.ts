import { expect, test } from 'vitest'
import { credentialByHand } from '../../test/support/candidate-by-hand.ts'
import { chooseCredential } from './choose-credential.ts'
import type { CredentialHealth } from './credential-health.ts'
import type { CredentialLimits } from './credential-use.ts'

const MINUTE = 60_000
const CALLER = 'acc_1'

interface One {
  readonly name: string
  readonly health: CredentialHealth
  readonly isDisabled: boolean
}

function one(name: string, limits: Partial<CredentialLimits> = {}, isDisabled = false): One {
  return { name, health: credentialByHand(() => 1, limits), isDisabled }
}

/** The names in the order in which they would be asked, or why none is and when one may be. */
function chosen(pool: readonly One[], { now = 0, first = '' } = {}) {
  const choice = chooseCredential(pool, { now, callerId: CALLER, isFirst: ({ name }) => name === first })
  return choice.kind === 'ask' ? choice.credentials.map(({ name }) => name) : [choice.because, choice.at]
}

function rested(each: One, model: string, restMs: number | null): void {
  const failure = { failure: 'rate_limited', restMs, callerId: CALLER } as const
  each.health.of(model).failed(0, 0, failure)
}

test('a credential that is disabled, expired or held is not asked, and the one that is to be first is', () => {
  const held = one('held')
  held.health.refused({ beganAt: 0, now: 0 }, 'credential')
  const pool = [held, one('expired', { expiresAt: 0 }), one('off', {}, true), one('a'), one('b')]
  expect(chosen(pool)).toEqual(['a', 'b'])
  expect(chosen(pool, { first: 'b' })).toEqual(['b', 'a'])
  expect(chosen(pool, { first: 'held' })).toEqual(['a', 'b'])
  expect(chosen(pool, { now: MINUTE, first: 'held' })).toEqual(['a', 'b', 'held'])
})

test('one rests where each of its models does, and is asked last where it rests with one of them', () => {
  const resting = one('resting')
  rested(resting, 'm', 5_000)
  const well = one('well')
  expect(chosen([resting, well])).toEqual(['well'])
  resting.health.of('n')
  expect(chosen([resting, well])).toEqual(['well', 'resting'])
})

test('a limit of its own keeps nothing from it that costs nothing, and one with room comes first', () => {
  const busy = one('busy', { maxConcurrency: 0 })
  expect(chosen([busy])).toEqual(['busy'])
  expect(chosen([busy, one('free')])).toEqual(['free', 'busy'])
})

test('where none may be asked, what ends by itself is to be waited for, then a hold, and no expiry', () => {
  const [held, resting] = [one('held'), one('resting')]
  held.health.refused({ beganAt: 0, now: 0 }, 'no_credit')
  rested(resting, 'm', 2 * MINUTE)
  const expired = one('expired', { expiresAt: 0 })
  expect(chosen([expired, held, resting])).toEqual(['rate_limited', 2 * MINUTE])
  expect(chosen([expired, held])).toEqual(['no_credit', MINUTE])
  expect(chosen([expired])).toEqual(['expired', Infinity])
  expect(chosen([one('off', {}, true)])).toEqual([null, Infinity])
})
