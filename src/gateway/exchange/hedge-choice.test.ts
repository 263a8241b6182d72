import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { begin as beginPlain } from '../../../test/support/exchange-by-hand.ts'

// Which target is asked beside a first that lets wait, and which one comes after both.

const AFTER_MS = 200
const WHOLE = { 'content-type': 'application/json' }
const UNREADABLE = '{"error":{"message":"The content could not be verified.","code":"invalid_encrypted_content"}}'
const UNKNOWN = { providerOrg: null, fingerprints: ['sealed'] }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function begin(options: Parameters<typeof beginPlain>[0] = {}) {
  const hand = beginPlain({
    wire: 'openai-responses',
    hedgeAfterMs: AFTER_MS,
    targets: ['ups_1', 'ups_2', 'ups_3'],
    fields: { input: 'hi' },
    ...options,
  })
  const wait = (ms: number) => {
    hand.pass(ms)
    vi.advanceTimersByTime(ms)
  }
  const cannotRead = (index: number) => {
    const { handler } = hand.attempt(index)
    handler.onHead(400, WHOLE)
    handler.onData(Buffer.from(UNREADABLE))
    handler.onEnd()
  }
  return { ...hand, wait, cannotRead }
}

const unavailable = () => new Fault('upstream_unavailable', 'Gone.')

test('a hedge at the organisation that cannot read what is sealed does not take the turn of the one that can', () => {
  const realms = { ups_1: ['here'], ups_2: ['here'], ups_3: ['there'] }
  const { attempts, attempt, wait, cannotRead, healthOf } = begin({ binding: UNKNOWN, realms })
  wait(AFTER_MS)
  expect([attempts.length, healthOf('ups_2')?.inFlight]).toEqual([2, 1])
  cannotRead(0)
  expect(attempt(1).isAborted).toBe(true)
  expect([attempts.length, healthOf('ups_3')?.inFlight]).toEqual([3, 1])
})

test('a hedge at another organisation that is under way already is the attempt that may read it', () => {
  const { attempts, attempt, wait, cannotRead, healthOf } = begin({ binding: UNKNOWN, targets: ['ups_1', 'ups_2'] })
  wait(AFTER_MS)
  cannotRead(0)
  expect([attempts.length, attempt(1).isAborted, healthOf('ups_2')?.inFlight]).toEqual([2, false, 1])
})

test('where the second target cannot carry the request, a third that can is asked', () => {
  const fields = { input: 'hi', previous_response_id: 'resp_1' }
  const { attempts, wait, healthOf } = begin({ fields, unfit: ['ups_2'] })
  wait(AFTER_MS)
  expect(attempts).toHaveLength(2)
  expect([healthOf('ups_2')?.inFlight, healthOf('ups_3')?.inFlight]).toEqual([0, 1])
})

test('where no money covers an answer of the second without a limit, a third that keeps limits is asked', () => {
  const hold = { tokens: 10, input: 5, limit: null, trustsLimit: true }
  const { attempts, parts, wait, healthOf } = begin({ stream: false, hold, keepsLimits: ['ups_1', 'ups_3'] })
  expect(parts.ignoredLimits.mayBePassedBy({ upstreamId: 'ups_2', model: 'm' })).toBe(true)
  wait(AFTER_MS)
  expect(attempts).toHaveLength(2)
  expect([healthOf('ups_2')?.inFlight, healthOf('ups_3')?.inFlight]).toEqual([0, 1])
})

test('another credential of an upstream that has failed comes after an upstream that has not', () => {
  const realms = { ups_1: ['a', 'b'] }
  const { attempts, attempt, wait, healthOf } = begin({ realms })
  attempt(0).handler.onFailure(unavailable())
  expect([attempts.length, healthOf('ups_2')?.inFlight]).toEqual([2, 1])
  wait(AFTER_MS)
  expect([attempts.length, healthOf('ups_3')?.inFlight]).toEqual([3, 1])
})
