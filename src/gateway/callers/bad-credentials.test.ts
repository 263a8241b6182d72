import { expect, test } from 'vitest'
import { newSecret } from '../../access/key-secret.ts'
import { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE, KEYS_USED_FROM_ADDRESSES_LIMIT } from '../../core/limits.ts'
import { BadCredentialThrottle, presented } from './bad-credentials.ts'

const found = new Fault('key_unknown', 'There is no such key.')
const OFFICE = '198.51.100.7'

function byHand() {
  const hand = { now: 0 }
  const throttle = new BadCredentialThrottle({ now: () => hand.now, elapsed: () => hand.now })
  const guess = (address: string, count: number) => {
    for (let i = 0; i < count; i++) throttle.count(address, found)
  }
  const isLetIn = (address: string, given = presented('ada-laptop-2f9c61d07b3e', 'hash')) => {
    try {
      throttle.refuseGuess(address, given)
      return true
    } catch (fault) {
      expect(fault).toMatchObject({ code: 'credential_throttled' })
      return false
    }
  }
  return { hand, throttle, guess, isLetIn }
}

test('all the IPv6 addresses of one connection get the tries of one', () => {
  const { throttle, isLetIn } = byHand()
  for (let i = 0; i < BAD_CREDENTIALS_PER_MINUTE; i++) expect(throttle.count(`2001:db8::${i}`, found)).toBe(found)
  expect(throttle.count('2001:db8::ffff', found).code).toBe('credential_throttled')
  expect(throttle.count('2001:db8:0:1::1', found)).toBe(found)
  expect([isLetIn('2001:db8::1:2:3'), isLetIn('2001:db8:0:1::1')]).toEqual([false, true])
})

test('an address without tries left hears nothing of a right guess until the minute is over', () => {
  const { hand, guess, isLetIn } = byHand()
  guess(OFFICE, BAD_CREDENTIALS_PER_MINUTE - 1)
  expect(isLetIn(OFFICE)).toBe(true)
  guess(OFFICE, 1)
  expect([isLetIn(OFFICE), isLetIn('198.51.100.8')]).toEqual([false, true])
  hand.now = 59_999
  expect(isLetIn(OFFICE)).toBe(false)
  hand.now = 60_000
  expect(isLetIn(OFFICE)).toBe(true)
})

test('keys that others of the address use, and generated keys, work while someone there guesses', () => {
  const { throttle, guess, isLetIn } = byHand()
  throttle.noteUse(OFFICE, presented('a-custom-key-2f9c61d07b3e', 'used'))
  guess(OFFICE, 300)
  expect(isLetIn(OFFICE, presented('a-custom-key-2f9c61d07b3e', 'used'))).toBe(true)
  expect(
    isLetIn(
      OFFICE,
      presented(
        newSecret(() => new Uint8Array(64).fill(7)),
        'generated',
      ),
    ),
  ).toBe(true)
  expect(isLetIn(OFFICE, presented('another-custom-key-9d07b3e2f', 'other'))).toBe(false)
})

test('the keys that addresses use are forgotten from the oldest on, and a connection goes on with its own', () => {
  const { throttle, guess, isLetIn } = byHand()
  const first = presented('first', 'first')
  throttle.noteUse(OFFICE, first)
  for (let i = 0; i < KEYS_USED_FROM_ADDRESSES_LIMIT; i++) throttle.noteUse(OFFICE, presented('key', String(i)))
  guess(OFFICE, BAD_CREDENTIALS_PER_MINUTE)
  expect(isLetIn(OFFICE, first)).toBe(true)
  expect(isLetIn(OFFICE, presented('first', 'first'))).toBe(false)
  expect(isLetIn(OFFICE, presented('key', '0'))).toBe(true)
})
