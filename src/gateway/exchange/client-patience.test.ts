import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { begin, settle } from '../../../test/support/exchange-by-hand.ts'
import { clientPatienceMs } from './times.ts'

const failed = (): Fault => new Fault('upstream_overloaded', 'Too many ask just now.')

test('a caller’s patience is read in seconds, the shorter of two; anything else is ignored', () => {
  expect(clientPatienceMs({ 'x-stainless-timeout': '600' })).toBe(600_000)
  expect(clientPatienceMs({ 'x-stainless-read-timeout': '2.5', 'x-stainless-timeout': '600' })).toBe(2_500)
  expect(clientPatienceMs({ 'x-stainless-timeout': '0.2' })).toBe(1_000)
  for (const said of ['0', '', '-5', '1e3', 'NaN', 'NOT_GIVEN', '600, 600', '5s', '99999999']) {
    expect(clientPatienceMs({ 'x-stainless-timeout': said }), said).toBeNull()
  }
  expect(clientPatienceMs({})).toBeNull()
})

test('no other target is tried for a caller who will have gone, and the fault of the first is what is said', async () => {
  const { attempts, attempt, response, pass } = begin({ headers: { 'x-stainless-timeout': '5' } })
  pass(5_000)
  attempt(0).handler.onFailure(failed())
  await settle()
  expect(attempts).toHaveLength(1)
  expect(response.written).toContain('Too many ask just now.')
})

test('another target is tried for a caller who still waits, or says nothing that can be', () => {
  for (const said of ['5', '0', 'soon']) {
    const { attempts, attempt, pass } = begin({ headers: { 'x-stainless-timeout': said } })
    pass(4_900)
    attempt(0).handler.onFailure(failed())
    expect(attempts, said).toHaveLength(2)
  }
})

test('a caller who was kept waiting by the head of a stream is still there', () => {
  const { attempts, attempt, pass } = begin({ headers: { 'x-stainless-timeout': '60' } })
  pass(61_000)
  attempt(0).handler.onFailure(failed())
  expect(attempts).toHaveLength(2)
})

test('a caller’s long patience does not make ours longer', () => {
  const { attempts, attempt, pass } = begin({
    stream: false,
    headers: { 'x-stainless-timeout': '100000' },
    firstByteTimeoutMs: 900_000,
  })
  pass(700_000)
  attempt(0).handler.onFailure(failed())
  expect(attempts).toHaveLength(1)
})

test('targets that rest are not waited for where the caller will have gone by then', async () => {
  const short = begin({ restMs: 1_500, headers: { 'x-stainless-timeout': '1' } })
  const long = begin({ restMs: 1_500, headers: { 'x-stainless-timeout': '30' } })
  await settle()
  expect(short.response.written).toContain('rate_limit')
  expect(long.response.written).toBe('')
  long.exchange.clientGone()
})
