import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { BAD_CREDENTIALS_PER_MINUTE } from '../../core/limits.ts'
import { BadCredentialThrottle } from './bad-credentials.ts'

const found = new Fault('key_unknown', 'There is no such key.')

test('all the IPv6 addresses of one connection get the tries of one', () => {
  const throttle = new BadCredentialThrottle({ now: () => 0, elapsed: () => 0 })
  for (let i = 0; i < BAD_CREDENTIALS_PER_MINUTE; i++) expect(throttle.count(`2001:db8::${i}`, found)).toBe(found)
  expect(throttle.count('2001:db8::ffff', found).code).toBe('credential_throttled')
  expect(throttle.count('2001:db8:0:1::1', found)).toBe(found)
})
