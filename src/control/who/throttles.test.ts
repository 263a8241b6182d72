import { expect, test } from 'vitest'
import type { Account } from '../../access/account.ts'
import { BAD_CONTROL_CREDENTIALS_PER_MINUTE, CHANGES_OF_AN_ACCOUNT_PER_HOUR } from '../../core/limits.ts'
import { Problem } from '../problem.ts'
import type { Actor } from './actor.ts'
import { ChangeThrottle, CredentialThrottle } from './throttles.ts'

function actor(id: string, role: Account['role'] = 'user'): Actor {
  return { kind: 'access_token', scope: 'write', account: { id, role } as Account }
}

test('one account makes no more changes in an hour than the bound; others, admins and the next hour are free of it', () => {
  const time = { elapsed: 0 }
  const throttle = new ChangeThrottle({ elapsed: () => time.elapsed })
  for (let i = 0; i < CHANGES_OF_AN_ACCOUNT_PER_HOUR; i++) throttle.count(actor('acc_1'))
  time.elapsed = 600_000
  const refused = () => throttle.count(actor('acc_1'))
  expect(refused).toThrow(Problem)
  expect(refused).toThrow(expect.objectContaining({ code: 'too_many_requests', details: { retryAfterSeconds: 3_000 } }))
  throttle.count(actor('acc_2'))
  for (let i = 0; i < 2 * CHANGES_OF_AN_ACCOUNT_PER_HOUR; i++) throttle.count(actor('acc_3', 'admin'))
  throttle.count({ kind: 'admin_token' })
  time.elapsed = 3_600_000
  throttle.count(actor('acc_1'))
})

const found = new Problem('credential_unknown', 'Unknown access token.')

test('all the IPv6 addresses of one connection get the tries of one', () => {
  const throttle = new CredentialThrottle({ elapsed: () => 0 })
  for (let i = 0; i < BAD_CONTROL_CREDENTIALS_PER_MINUTE; i++)
    expect(throttle.count(`2001:db8::${i}`, found)).toBe(found)
  expect(throttle.count('2001:db8::ffff', found).code).toBe('credential_throttled')
  expect(throttle.count('2001:db8:0:1::1', found)).toBe(found)
})
