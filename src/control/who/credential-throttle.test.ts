import { expect, test } from 'vitest'
import { BAD_CONTROL_CREDENTIALS_PER_MINUTE } from '../../core/limits.ts'
import { CredentialThrottle } from './credential-throttle.ts'
import { Problem } from '../problem.ts'

const found = new Problem('credential_unknown', 'Unknown access token.')

test('all the IPv6 addresses of one connection get the tries of one', () => {
  const throttle = new CredentialThrottle({ elapsed: () => 0 })
  for (let i = 0; i < BAD_CONTROL_CREDENTIALS_PER_MINUTE; i++)
    expect(throttle.count(`2001:db8::${i}`, found)).toBe(found)
  expect(throttle.count('2001:db8::ffff', found).code).toBe('credential_throttled')
  expect(throttle.count('2001:db8:0:1::1', found)).toBe(found)
})
