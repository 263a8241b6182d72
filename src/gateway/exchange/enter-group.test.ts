import { expect, test } from 'vitest'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'
import { Fault } from '../../core/faults.ts'
import { nanoUsd } from '../../core/money.ts'
import type { AdmissionRequest } from '../../metering/admission/admission-request.ts'
import { Reservation } from '../../metering/admission/reservation.ts'

// A request on its way into the next group of its key, while money is looked for there.

const REQUEST: AdmissionRequest = {
  key: { id: 'key_1', rateLimit: null },
  tokens: { input: 0, output: 0 },
  amount: nanoUsd(50n),
  caps: [],
  sources: [],
}

const unavailable = () => new Fault('upstream_unavailable', 'Gone.')

function goingOn(own: readonly string[] = ['ups_1']) {
  const found = Promise.withResolvers<Reservation>()
  let asked = 0
  const admit = () => {
    asked += 1
    return found.promise
  }
  const hand = begin({ targets: [...own, 'ups_9'], fallback: { targets: ['ups_9'], admit } })
  const held = new Reservation(REQUEST, { amount: nanoUsd(50n), caps: [], paying: [], use: null, onClosed: () => {} })
  return {
    ...hand,
    held,
    find: () => found.resolve(held),
    refuse: () => found.reject(unavailable()),
    asked: () => asked,
  }
}

test('nothing is sent there before the money is held, and then it is charged there', async () => {
  const { attempts, attempt, settled, held, reservation, find, healthOf } = goingOn()
  attempt(0).handler.onFailure(unavailable())
  await settle()
  expect([attempts.length, reservation.isOpen]).toEqual([1, true])
  find()
  await settle()
  expect([attempts.length, healthOf('ups_9')?.inFlight, reservation.isOpen, held.isOpen]).toEqual([2, 1, false, true])
  attempt(1).handler.onHead(200, STREAM)
  attempt(1).handler.onData(Buffer.from(START + TEXT + STOP))
  await settle()
  expect(settled.map(({ record }) => [record.groupName, record.upstreamName, record.outcome, record.cost])).toEqual([
    ['next', 'ups_9', 'completed', 11n],
  ])
  expect(held.isOpen).toBe(false)
})

test('a client that leaves meanwhile is sent nowhere, and what is found for it then is free at once', async () => {
  const { attempts, attempt, exchange, settled, held, reservation, find, running } = goingOn()
  attempt(0).handler.onFailure(unavailable())
  exchange.clientGone()
  await settle()
  find()
  await settle()
  expect([attempts.length, running.size, reservation.isOpen, held.isOpen]).toEqual([1, 0, false, false])
  expect(settled.map(({ record }) => [record.groupName, record.upstreamName])).toEqual([[null, 'ups_1']])
})

test('without the money the caller gets the fault of the first group', async () => {
  const { attempts, attempt, response, settled, refuse, reservation } = goingOn()
  attempt(0).handler.onFailure(new Fault('upstream_timeout', 'Slow.'))
  refuse()
  await settle()
  expect([attempts.length, response.status, reservation.isOpen]).toEqual([1, 504, false])
  expect(settled.map(({ record }) => [record.groupName, record.fault])).toEqual([[null, 'upstream_timeout']])
})

test('a second target of the first group comes before the next group', () => {
  const { attempts, attempt, asked, healthOf } = goingOn(['ups_1', 'ups_2'])
  attempt(0).handler.onFailure(unavailable())
  expect([attempts.length, healthOf('ups_2')?.inFlight, asked()]).toEqual([2, 1, 0])
})

test('a kept-alive connection that was just closed does not send a request into another group', () => {
  const { attempts, attempt, asked, healthOf } = goingOn()
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'Gone.', { cause }))
  expect([attempts.length, healthOf('ups_1')?.inFlight, asked()]).toEqual([2, 1, 0])
})
