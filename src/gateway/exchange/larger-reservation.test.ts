import { expect, test } from 'vitest'
import { begin, settle } from '../../../test/support/exchange-by-hand.ts'
import { Fault } from '../../core/faults.ts'

// A request that goes on to a target which may pass the limit that it is held by, so that more is to be held first.

function goingOn(targets: readonly string[], holding: () => Promise<boolean>) {
  const hold = { tokens: 10, input: 5, limit: null, trustsLimit: true }
  const hand = begin({ stream: false, hold, targets, keepsLimits: targets.filter((id) => id !== 'ups_2') })
  Object.assign(hand.parts.admission, { extendOrRunExclusively: holding })
  hand.attempt(0).handler.onFailure(new Fault('upstream_timeout', 'Slow.'))
  return hand
}

const away = () => Promise.reject(new Fault('store_unavailable', 'Away.'))

test.for([
  ['is not there', () => Promise.resolve(false)],
  ['cannot be looked for, since the database is away', away],
] as const)('where the money %s, the caller gets the fault of the target before it', async ([, holding]) => {
  const { attempts, response, settled } = goingOn(['ups_1', 'ups_2'], holding)
  await settle()
  expect([attempts.length, response.status]).toEqual([1, 504])
  expect(settled.map(({ record }) => record.fault)).toEqual(['upstream_timeout'])
})

test('a target that needs no more money is asked although the database is away', async () => {
  const { attempts, healthOf } = goingOn(['ups_1', 'ups_2', 'ups_3'], away)
  await settle()
  expect([attempts.length, healthOf('ups_2')?.inFlight, healthOf('ups_3')?.inFlight]).toEqual([2, 0, 1])
})

test('a defect of ours is said as one', async () => {
  const { attempts, settled } = goingOn(['ups_1', 'ups_2'], () => Promise.reject(new TypeError('defect')))
  await settle()
  expect([attempts.length, settled.map(({ record }) => record.fault)]).toEqual([1, ['internal']])
})
